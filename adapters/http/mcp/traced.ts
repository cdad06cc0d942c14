import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * One span for each call of the protocol, below that of its request. Names and attributes tell what was called, never
 * what was said.
 */
export const traced = <T>(
  name: string,
  method: string,
  work: (failed: (type: string) => void) => Promise<T>,
): Promise<T> =>
  trace
    .getTracer('knowledger.mcp')
    .startActiveSpan(
      name,
      { kind: SpanKind.INTERNAL, attributes: { 'mcp.method.name': method } },
      async (span) => {
        const failed = (type: string): void => {
          span.setAttribute('error.type', type);
          span.setStatus({ code: SpanStatusCode.ERROR });
        };
        try {
          return await work(failed);
        } catch (error) {
          failed(error instanceof Error ? error.name : 'error');
          throw error;
        } finally {
          span.end();
        }
      },
    );
