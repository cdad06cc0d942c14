import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { hideableFields, isNeverShown } from '../../domain/proof/leaf.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type FeedMessage,
  type JsonValue,
  type Position,
  type RecordedEvent,
} from '../ports/event-store.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';

/**
 * Redacts an event for the audit log: removes the hashes of API keys, and redacts the titles of documents with `hide`.
 * It depends on the stream category, not on the event type, so that it also covers events of newer versions: see
 * `HIDEABLE`.
 */
export const redactForAudit = (event: RecordedEvent, hide: (text: string) => string): RecordedEvent => {
  const fields = hideableFields(event);
  if (fields.length === 0) return event;
  const data: { [field: string]: JsonValue } = { ...event.data };
  for (const field of fields) {
    const value = data[field];
    if (isNeverShown(event, field)) delete data[field];
    else if (typeof value === 'string') data[field] = hide(value);
  }
  return { ...event, data };
};

/** Filter of the audit log. Times are Unix milliseconds, `from` inclusive, `to` exclusive. */
export type AuditFilter = Omit<EventFilter, 'tenant'>;

export interface AuditDeps {
  readonly feed: EventFeed;
  readonly redactTextFor: RedactTextFor;
}

/**
 * Reads the log of a tenant in its order, for replay and for live subscriptions. `redactForAudit` says what is
 * removed. Every read fails when the tenant's redaction policies cannot be read.
 */
export const createAuditOperations = ({ feed, redactTextFor }: AuditDeps) => {
  const own = (caller: Caller, filter: AuditFilter): EventFilter => {
    mustBeUnrestricted(caller, 'reading the event log');
    return { ...filter, tenant: caller.tenant };
  };
  return {
    /** Reads one page after `after` (exclusive); `position` is the start of the next page. */
    page: async (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      limit: number,
    ): Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }> => {
      const { events, position } = await feed.read(after, own(caller, filter), limit);
      const hide = await redactTextFor(caller.tenant);
      return { events: events.map((event) => redactForAudit(event, hide)), position };
    },

    /**
     * Rejects a position that the log has not reached: the client has misread it, or it belongs to another log.
     *
     * @throws DomainError invalid_cursor
     */
    mustHold: async (position: Position): Promise<void> => {
      if (position === BEGINNING || (await feed.holds(position))) return;
      throw new DomainError('invalid_cursor', 'the log ends before this position: use one from a response');
    },

    /** Reads one page before `before` (exclusive; BEGINNING starts at the end), newest first. */
    pageBack: async (
      caller: Caller,
      filter: AuditFilter,
      before: Position,
      limit: number,
    ): Promise<readonly RecordedEvent[]> => {
      const events = await feed.readBack(before, own(caller, filter), limit);
      const hide = await redactTextFor(caller.tenant);
      return events.map((event) => redactForAudit(event, hide));
    },

    /** Yields the current events after `after`, then ends. */
    replay: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<RecordedEvent> =>
      replayed(shown(feed.follow(after, own(caller, filter), { signal }), caller, redactTextFor)),

    /** Yields the events after `after`, then new ones as they arrive, until `signal` aborts. */
    follow: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<FeedMessage> =>
      shown(feed.follow(after, own(caller, filter), { signal }), caller, redactTextFor),
  };
};
export type AuditOperations = ReturnType<typeof createAuditOperations>;

async function* replayed(messages: AsyncIterable<FeedMessage>): AsyncGenerator<RecordedEvent> {
  for await (const message of messages) {
    if (message.kind === 'caughtUp') return;
    if (message.kind === 'events') yield* message.events;
  }
}

/** Redacts by the policies at the time when events are sent, not when the stream was opened. */
async function* shown(
  messages: AsyncIterable<FeedMessage>,
  { tenant }: Caller,
  redactTextFor: RedactTextFor,
): AsyncGenerator<FeedMessage> {
  for await (const message of messages) {
    if (message.kind === 'events') {
      const hide = await redactTextFor(tenant);
      const [first, ...rest] = message.events;
      yield {
        ...message,
        events: [redactForAudit(first, hide), ...rest.map((event) => redactForAudit(event, hide))],
      };
    } else yield message;
  }
}
