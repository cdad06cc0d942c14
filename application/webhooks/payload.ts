import { redactForAudit } from '../audit/operations.ts';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';

export interface PayloadDeps {
  readonly redactTextFor: RedactTextFor;
  /** An event as readers of the log are shown it. */
  readonly shown: (event: RecordedEvent) => object;
}

/**
 * The body of a delivery, as JSON: `{type, timestamp, data}`, with the event as `GET /events` shows it at this moment.
 *
 * @throws when the redaction policies of the tenant cannot be read: then nothing may be sent
 */
export type PayloadOf = (tenant: string, event: RecordedEvent) => Promise<string>;

export const createPayloadOf =
  ({ redactTextFor, shown }: PayloadDeps): PayloadOf =>
  async (tenant, event) => {
    const seen = redactForAudit(event, await redactTextFor(tenant));
    return payload(event.type, event.recordedAt, shown(seen));
  };

/** @param at Unix milliseconds */
export const payload = (type: string, at: number, data: object): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
