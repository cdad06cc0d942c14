import { SpanKind, trace } from '@opentelemetry/api';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { RetrieveSerialised } from '../../application/search/serialised-search.ts';
import { ended } from './tracing.ts';

/** What finds contents elsewhere. */
interface Searching {
  readonly retrieve: Retrieve;
  readonly retrieveSerialised: RetrieveSerialised;
}

/**
 * Searches in threads are spans, with the time that they wait for their turn. What a thread asks of Postgres has none:
 * there is nobody in it to collect them.
 */
export const tracedSearchThreads = ({ retrieve, retrieveSerialised }: Searching): Searching => {
  const tracer = trace.getTracer('knowledger.search');
  const inSpan = <T>(work: () => Promise<T>): Promise<T> =>
    trace.getActiveSpan()?.isRecording() === true
      ? tracer.startActiveSpan('search', { kind: SpanKind.INTERNAL }, (span) => ended(span, work))
      : work();
  return {
    retrieve: (scope, request) => inSpan(() => retrieve(scope, request)),
    retrieveSerialised: (planned, told) => inSpan(() => retrieveSerialised(planned, told)),
  };
};
