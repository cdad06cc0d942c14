import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type FeedMessage,
  type Position,
  type RecordedEvent,
} from '../ports/event-store.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';
import { categoryOf } from '../ports/event-checks.ts';

/**
 * An event as the log shows it to analysts: without the hashes of API keys, which serve to look keys up and to nothing
 * else, and with the titles of documents as `hide` lets them be read. By the stream, not by the types: an event that a
 * newer version wrote is held to it too.
 */
export const redactForAudit = (event: RecordedEvent, hide: (text: string) => string): RecordedEvent => {
  switch (categoryOf(event.stream)) {
    case 'apiKey': {
      const { key_hash: _, ...data } = event.data;
      return { ...event, data };
    }
    case 'source': {
      const { title } = event.data;
      return typeof title === 'string' ? { ...event, data: { ...event.data, title: hide(title) } } : event;
    }
    default:
      return event;
  }
};

/** What an analyst may ask the log for. Times: Unix milliseconds, `from` inclusive, `to` exclusive. */
export type AuditFilter = Omit<EventFilter, 'tenant'>;

export interface AuditDeps {
  readonly feed: EventFeed;
  readonly redactTextFor: RedactTextFor;
}

/**
 * The log of a tenant, in its one order, for replay and for following; see `disclosed` for what it leaves out and hides.
 * Every read fails where the tenant's redaction policies cannot be read.
 */
export const createAuditOperations = ({ feed, redactTextFor }: AuditDeps) => {
  const own = (caller: Caller, filter: AuditFilter): EventFilter => {
    mustBeUnrestricted(caller, 'reading the event log');
    return { ...filter, tenant: caller.tenant };
  };
  return {
    /** One page after `after` (exclusive), and the position from which to go on. */
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
     * Refuses a place to which the log has not come: whoever goes on from there has misread it, or the log is another one.
     *
     * @throws DomainError invalid_cursor
     */
    mustHold: async (position: Position): Promise<void> => {
      if (position === BEGINNING || (await feed.holds(position))) return;
      throw new DomainError('invalid_cursor', 'the log ends before this position: take one from an answer');
    },

    /** One page before `before` (exclusive; BEGINNING: from the end on), newest first. */
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

    /** Everything that is in the log now, after `after`. Ends by itself. */
    replay: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<RecordedEvent> =>
      replayed(shown(feed.follow(after, own(caller, filter), { signal }), caller, redactTextFor)),

    /** Everything after `after`, then what comes, until `signal` aborts. */
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

/** By the policies in force when the events are sent, not when the stream was opened. */
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
