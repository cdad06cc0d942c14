/** Structured log lines. Fields never contain secrets, document text or keys. */
export interface Logger {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
}
export type LogFields = { readonly [name: string]: string | number | boolean | null | undefined };

/** Spans around work, in the trace stored with the events. */
export interface Tracing {
  /**
   * Runs `work` in a span that continues the trace of `traceparent` and links to it. `work` receives the traceparent of
   * the span, to store with its events; undefined if there is no trace.
   */
  readonly inSpan: <T>(
    name: string,
    from: { readonly traceparent?: string; readonly tracestate?: string },
    attributes: { readonly [name: string]: string | number | boolean },
    work: (traceparent: string | undefined) => Promise<T>,
  ) => Promise<T>;
}
