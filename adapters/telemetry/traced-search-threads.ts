import { SpanKind, trace } from '@opentelemetry/api';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { RetrieveWritten } from '../../application/search/written-search.ts';
import { ended } from './tracing.ts';

/** What finds contents elsewhere. */
interface Searching {
  readonly retrieve: Retrieve;
  readonly retrieveWritten: RetrieveWritten;
}

/**
 * Searches in threads are spans, with the time that they wait for their turn. What a thread asks of Postgres has none:
 * there is nobody in it to collect them.
 */
export const tracedSearchThreads = ({ retrieve, retrieveWritten }: Searching): Searching => {
  const tracer = trace.getTracer('knowledger.search');
  const inSpan = <T>(work: () => Promise<T>): Promise<T> =>
    trace.getActiveSpan()?.isRecording() === true
      ? tracer.startActiveSpan('search', { kind: SpanKind.INTERNAL }, (span) => ended(span, work))
      : work();
  return {
    retrieve: (scope, request) => inSpan(() => retrieve(scope, request)),
    retrieveWritten: (planned, told) => inSpan(() => retrieveWritten(planned, told)),
  };
};
