import { trace } from '@opentelemetry/api';
import type { Reranker } from '../../application/ports/search-index.ts';
import type { WebSearch } from '../../application/ports/web-search.ts';
import { inClientSpan, serverOf } from './client-span.ts';

/** A reranker whose calls are spans, with how many texts it was given. Without a URL: one of this machine. */
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

/** A web search whose calls are spans, with how many pages were found. */
export const tracedWebSearch = (webSearch: WebSearch, url: string): WebSearch => {
  const tracer = trace.getTracer('knowledger.web-search');
  const server = serverOf(new URL(url));
  return {
    ...webSearch,
    search: (query, limit, signal) =>
      inClientSpan(tracer, 'web search', server, async (span) => {
        const answer = await webSearch.search(query, limit, signal);
        span?.setAttribute('knowledger.results', answer.results.length);
        return answer;
      }),
  };
};
