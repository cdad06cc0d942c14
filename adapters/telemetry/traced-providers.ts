import type { Embedder } from '../../application/ports/embedder.ts';
import type { LanguageModel, ModelEvent } from '../../application/ports/language-model.ts';
import type { PageFetcher } from '../../application/ports/page-fetcher.ts';
import type { Reranker } from '../../application/ports/reranker.ts';
import type { WebSearch } from '../../application/ports/web-search.ts';
import { inClientSpan, serverOf } from './tracing.ts';
import { type Span, SpanKind, SpanStatusCode, context, metrics, trace } from '@opentelemetry/api';

/** A reranker whose calls are spans with the number of texts. Without a URL it runs on this machine. */
export const tracedReranker = (reranker: Reranker, url?: string): Reranker => {
  const tracer = trace.getTracer('knowledger.reranker');
  const server = url === undefined ? {} : serverOf(new URL(url));
  return {
    ...reranker,
    rerank: (query, texts, signal) =>
      inClientSpan(tracer, 'rerank', { ...server, 'knowledger.texts': texts.length }, () =>
        reranker.rerank(query, texts, signal),
      ),
  };
};

/** A web search whose calls are spans with the number of pages found. */
export const tracedWebSearch = (webSearch: WebSearch, url: string): WebSearch => {
  const tracer = trace.getTracer('knowledger.web-search');
  const server = serverOf(new URL(url));
  return {
    ...webSearch,
    search: (query, limit, signal) =>
      inClientSpan(tracer, 'web search', server, async (span) => {
        const result = await webSearch.search(query, limit, signal);
        span?.setAttribute('knowledger.results', result.results.length);
        return result;
      }),
  };
};

/** A language model whose answers are spans with their token counts, but without any text. */
export const tracedLanguageModel = <Model extends LanguageModel>(model: Model): Model => {
  const tracer = trace.getTracer('knowledger.language-model');
  async function* stream(...[request, signal]: Parameters<Model['stream']>): AsyncGenerator<ModelEvent> {
    if (trace.getActiveSpan()?.isRecording() !== true) return yield* model.stream(request, signal);
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name };
    const span = tracer.startSpan(`chat ${model.name}`, { kind: SpanKind.CLIENT, attributes });
    try {
      for await (const event of within(span, model.stream(request, signal))) {
        if (event.kind === 'finish' && event.usage !== null)
          span.setAttributes({
            'gen_ai.usage.input_tokens': event.usage.inputTokens,
            'gen_ai.usage.output_tokens': event.usage.outputTokens,
          });
        yield event;
      }
    } catch (error) {
      const { name } = error as Error;
      span.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR, message: name });
      throw error;
    } finally {
      span.end();
    }
  }
  return { ...model, stream };
};

/** The items, each awaited with the span as the active one. */
async function* within<T>(span: Span, items: AsyncIterable<T>): AsyncGenerator<T> {
  const active = trace.setSpan(context.active(), span);
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await context.with(active, () => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Counts the calls of an embedder by kind and outcome, the texts of successful calls, and their duration.
 * Within a trace each call is also a span.
 */
export const measuredEmbedder = (embedder: Embedder): Embedder => {
  const meter = metrics.getMeter('knowledger');
  const calls = meter.createCounter('knowledger_embedding_calls', {
    description: 'calls of the embedding provider; a failed one for a query is a search by words alone',
    unit: '{call}',
  });
  const embedded = meter.createCounter('knowledger_embedding_texts', {
    description: 'texts embedded',
    unit: '{text}',
  });
  const duration = meter.createHistogram('knowledger_embedding_seconds', { unit: 's' });
  const tracer = trace.getTracer('knowledger.embeddings');
  const attributes = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': embedder.model };
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    embed: async (texts, kind, signal) => {
      const began = performance.now();
      try {
        const vectors = await inClientSpan(tracer, `embeddings ${embedder.model}`, attributes, () =>
          embedder.embed(texts, kind, signal),
        );
        calls.add(1, { kind, outcome: 'ok' });
        embedded.add(texts.length, { kind });
        return vectors;
      } catch (error) {
        calls.add(1, { kind, outcome: (error as Error).name });
        throw error;
      } finally {
        duration.record((performance.now() - began) / 1_000, { kind });
      }
    },
  };
};

/** A page fetcher whose fetches are spans with the host but without the path, which may be confidential. */
export const tracedPageFetcher = (pages: PageFetcher): PageFetcher => {
  const tracer = trace.getTracer('knowledger.crawler');
  return {
    fetchPage: (request, signal) => {
      const url = URL.parse(request.url);
      const attributes = { 'http.request.method': 'GET', ...(url !== null && serverOf(url)) };
      return inClientSpan(tracer, 'page fetch', attributes, async (span) => {
        const outcome = await pages.fetchPage(request, signal);
        span?.setAttribute('knowledger.outcome', outcome.kind);
        if (outcome.kind === 'failed') span?.setAttribute('error.type', outcome.code);
        return outcome;
      });
    },
  };
};
