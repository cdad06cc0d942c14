import { trace } from '@opentelemetry/api';
import type { PageFetcher } from '../../application/ports/page-fetcher.ts';
import { inClientSpan, serverOf } from './client-span.ts';

/** A page fetcher whose pages are spans, with their host but not their path: a path may tell what nobody shall know. */
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
