import { SpanKind, trace } from '@opentelemetry/api';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { RetrieveSerialised } from '../../application/search/serialised-search.ts';
import { endSpanAfter } from './tracing.ts';

/** Retrieval in another thread. */
interface ThreadSearch {
  readonly retrieve: Retrieve;
  readonly retrieveSerialised: RetrieveSerialised;
}

/**
 * Wraps searches in threads in spans, including their waiting time. Queries of a thread to Postgres have no
 * spans, because the thread has no SDK that collects them.
 */
export const tracedSearchThreads = ({ retrieve, retrieveSerialised }: ThreadSearch): ThreadSearch => {
  const tracer = trace.getTracer('knowledger.search');
  const inSpan = <T>(work: () => Promise<T>): Promise<T> =>
    trace.getActiveSpan()?.isRecording() === true
      ? tracer.startActiveSpan('search', { kind: SpanKind.INTERNAL }, (span) => endSpanAfter(span, work))
      : work();
  return {
    retrieve: (scope, request) => inSpan(() => retrieve(scope, request)),
    retrieveSerialised: (planned, context) => inSpan(() => retrieveSerialised(planned, context)),
  };
};
