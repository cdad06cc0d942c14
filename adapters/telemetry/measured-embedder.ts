import { metrics, trace } from '@opentelemetry/api';
import type { Embedder } from '../../application/ports/embedder.ts';
import { inClientSpan } from './client-span.ts';

/**
 * Counts the calls of an embedder by kind and outcome, the texts of those that succeeded, and how long they took. Within a
 * trace a call is a span too.
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
