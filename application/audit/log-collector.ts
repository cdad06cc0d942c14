import type { ExportedEvent } from './export-log.ts';

/** Whatever takes the events as log records outside of this program, such as the collector before a SIEM. */
export interface LogCollector {
  /**
   * Sends events in their order. Returns once all are accepted. Those of a call that fails may have been accepted too:
   * whoever calls again sends them again.
   *
   * @throws CollectorUnavailable, or CollectorRefused
   */
  readonly send: (events: readonly ExportedEvent[]) => Promise<void>;
}

/** The same events may be accepted later. */
export class CollectorUnavailable extends Error {
  override readonly name = 'CollectorUnavailable';
  /** How long it asks to be left alone, in milliseconds; 0 if it does not say. */
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The collector does not accept all of some events, and must not be sent them again as they are. */
export class CollectorRefused extends Error {
  override readonly name = 'CollectorRefused';
  /** The first of the events that were sent together. */
  readonly first: ExportedEvent;
  constructor(message: string, first: ExportedEvent) {
    super(message);
    this.first = first;
  }
}
