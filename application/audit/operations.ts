import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { hideableFields, isNeverShown } from '../../domain/proof/leaf.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type EventPage,
  type FeedMessage,
  type JsonValue,
  type Position,
  type RecordedEvent,
} from '../ports/event-store.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';
import { createShownFilter, type ShownFilter } from './where.ts';

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

/** Which events of the log, and which of those by what their readers see of them. */
export type LogFilter = EventFilter & ShownFilter;
/** Filter of the audit log. Times are Unix milliseconds, `from` inclusive, `to` exclusive. */
export type AuditFilter = Omit<LogFilter, 'tenant'>;

/** Reads of the feed for one page, each over some ten thousand events: a second or two, however rare a match is. */
const MAX_STEPS = 20;
/** Events of a read of which a `ShownFilter` chooses: a page looks at some ten thousand. */
const SHOWN_STEP = 500;

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
    const { where: _, streamPrefix: __, ...stored } = filter;
    return { ...stored, tenant: caller.tenant };
  };
  /** A page that has fewer than `limit` events although `more` may follow has taken its time: see `MAX_STEPS`. */
  const searched = async (
    caller: Caller,
    filter: AuditFilter,
    from: Position,
    limit: number,
    read: 'read' | 'readBack',
  ): Promise<EventPage> => {
    const asked = own(caller, filter);
    const fits = createShownFilter(filter);
    const isStored = filter.where === undefined && filter.streamPrefix === undefined;
    const events: RecordedEvent[] = [];
    let [position, more] = [from, true];
    for (let step = 0; more && step < MAX_STEPS && events.length < limit; step += 1) {
      const room = limit - events.length;
      const page = await feed[read](position, asked, isStored ? room : SHOWN_STEP);
      const hide = await redactTextFor(caller.tenant);
      const found = page.events.map((event) => redactForAudit(event, hide)).filter(fits);
      events.push(...found.slice(0, room));
      ({ position, more } = found.length > room ? { position: found[room - 1]!.position, more: true } : page);
    }
    return { events, position, more };
  };
  const followed = (
    caller: Caller,
    filter: AuditFilter,
    after: Position,
    signal: AbortSignal,
  ): AsyncIterable<FeedMessage> =>
    shown(
      feed.follow(after, own(caller, filter), { signal }),
      caller,
      redactTextFor,
      createShownFilter(filter),
    );
  return {
    /** Reads one page after `after` (exclusive): see `searched`. */
    page: (caller: Caller, filter: AuditFilter, after: Position, limit: number): Promise<EventPage> =>
      searched(caller, filter, after, limit, 'read'),

    /**
     * Rejects a position that the log has not reached: the client has misread it, or it belongs to another log.
     *
     * @throws DomainError invalid_cursor
     */
    mustHold: async (position: Position): Promise<void> => {
      if (position === BEGINNING || (await feed.holds(position))) return;
      throw new DomainError('invalid_cursor', 'the log ends before this position: use one from a response');
    },

    /** Reads one page before `before` (exclusive; BEGINNING starts at the end), newest first: see `searched`. */
    pageBack: (caller: Caller, filter: AuditFilter, before: Position, limit: number): Promise<EventPage> =>
      searched(caller, filter, before, limit, 'readBack'),

    /** Yields the current events after `after`, then ends. */
    replay: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<RecordedEvent> => replayed(followed(caller, filter, after, signal)),

    /** Yields the events after `after`, then new ones as they arrive, until `signal` aborts. */
    follow: (
      caller: Caller,
      filter: AuditFilter,
      after: Position,
      signal: AbortSignal,
    ): AsyncIterable<FeedMessage> => followed(caller, filter, after, signal),
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
  fits: ReturnType<typeof createShownFilter>,
): AsyncGenerator<FeedMessage> {
  for await (const message of messages) {
    if (message.kind === 'events') {
      const hide = await redactTextFor(tenant);
      const [first, ...rest] = message.events.map((event) => redactForAudit(event, hide)).filter(fits);
      if (first === undefined) yield { kind: 'checkpoint', position: message.position };
      else yield { ...message, events: [first, ...rest] };
    } else yield message;
  }
}
