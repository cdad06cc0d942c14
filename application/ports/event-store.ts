/**
 * The event store: streams of immutable events, appended at an exact revision.
 *
 * Revisions are zero-based and gapless per stream. A position orders events over all streams: an opaque string,
 * compared lexicographically, never reused. Both adapters order `feed` by position, and the order never changes.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Opaque, lexicographically ordered. `''` sorts before every position: "from the beginning". */
export type Position = string;
export const BEGINNING: Position = '';

/** Revision of the last event a writer has seen; `none` = the stream must not exist yet. There is no "any". */
export type ExpectedRevision = bigint | 'none';

export interface NewEvent {
  /**
   * UUID, made once per command, outside every retry loop: the store recognises a repeated append by it. Never used
   * for another event; a store that can tell refuses an id that is recorded elsewhere with InvalidEvent.
   */
  readonly id: string;
  /** Stored name, for example `JobQueued` or `JobQueued.v2`. */
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
  /** When the store accepted it: Unix milliseconds. Informative; decisions use times carried in `data`. */
  readonly recordedAt: number;
}

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: bigint;
  /** Position of the last event of this append. */
  readonly position: Position;
}

/** What every event store does. */
export interface EventStreams {
  /**
   * Appends all events or none, directly after `expected`.
   *
   * Strongly idempotent: when the events at exactly those revisions already carry the same ids, the first result is
   * answered again and nothing is written. The promise resolves only when the events are durable.
   *
   * @throws ConcurrencyConflict when the stream is elsewhere; nothing was written
   * @throws AppendTooLarge, InvalidEvent before anything is sent: see `checkAppend`, which every adapter calls
   * @throws InvalidEvent for an expected revision that no stream can be at; -1 is taken for `none`
   * @throws StreamDeleted, EventsGone, ForeignEvent for what others did to the stream: a retry helps with none of them
   * @throws OutcomeUnknown when the answer was lost: retry with the same ids and revision is safe
   * @throws EventStoreUnavailable when nothing was written because the store cannot be reached
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly [NewEvent, ...NewEvent[]],
  ): Promise<AppendResult>;

  /**
   * Events of one stream in revision order, from `from` (inclusive, default 0). An unknown stream is empty, and so is
   * what lies behind the last revision. Whoever folds a long stream reads it by `limit`, in parts.
   *
   * @throws StreamDeleted, ForeignEvent for what others did to the stream
   * @throws EventStoreUnavailable when the store cannot be reached, or shows less of the stream than it did before
   */
  readStream(stream: string, from?: bigint, limit?: number): Promise<readonly RecordedEvent[]>;
}

export interface EventStore extends EventStreams {
  /** A call fails as soon as the store is known to be away. */
  readonly retrying?: false;
}

/**
 * One whose calls wait for minutes until the store is back: for jobs, and for nobody who waits for an answer. Neither kind
 * is taken for the other.
 */
export interface RetryingEventStore extends EventStreams {
  readonly retrying: true;
}

/** All given parts must match; an absent part matches everything. */
export interface EventFilter {
  /** Text of the stream name before the first `-`. */
  readonly categories?: readonly string[];
  /** Stored type names. */
  readonly types?: readonly string[];
  readonly stream?: string;
  /** `metadata.tenant`. */
  readonly tenant?: string;
  /** Bounds on `recordedAt`, Unix milliseconds: from inclusive, to exclusive. */
  readonly from?: number;
  readonly to?: number;
}

export type FeedMessage =
  | {
      readonly kind: 'events';
      readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
      /** As of a checkpoint: at or behind the last event. */
      readonly position: Position;
    }
  /** Everything at or before `position` was delivered or does not match; a reader may store it as its checkpoint. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** The reader has seen everything that was visible; later messages are live. Sent each time it catches up. */
  | { readonly kind: 'caughtUp'; readonly position: Position };

export interface EventFeed {
  /**
   * Where the stable part of the log ends, asked after this call: at or behind the last event that a reader can see.
   * BEGINNING for an empty log.
   *
   * @throws EventStoreUnavailable when the store cannot be reached
   */
  head(): Promise<Position>;

  /**
   * One page of matching events after `after` (exclusive), in position order, only from the stable part of the log.
   * Read on from its `position`, which lies at or behind its last event; fewer than `limit` events are the last page.
   */
  read(
    after: Position,
    filter: EventFilter,
    limit: number,
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }>;

  /**
   * The last matching events before `before` (exclusive; BEGINNING: from the end on), newest first, only from the stable
   * part of the log. Read on from the last of them; fewer than `limit` are the first of the log.
   */
  readBack(before: Position, filter: EventFilter, limit: number): Promise<readonly RecordedEvent[]>;

  /**
   * Whether an event lies at or behind `position`, acknowledged but not yet stable ones included: false for a place to
   * which the log has not come.
   *
   * @throws DomainError invalid_cursor for a text that is no position of this log
   */
  holds(position: Position): Promise<boolean>;

  /**
   * Follows the log for ever, in position order, gapless, each event once, until `signal` aborts (then it ends
   * normally). Batches hold at most `batchSize` (default 500) events. A `checkpoint` follows where events that do not
   * match lie behind the last batch, so a selective reader moves on too. It recovers from lost connections by itself
   * and throws only what a retry cannot mend: a position that is not one of this store, a missing schema. A follower of
   * one stream ends normally when that is deleted for ever, as nothing can come any more; `read` and `readBack` throw
   * StreamDeleted then. What another program wrote is passed over.
   */
  follow(
    after: Position,
    filter: EventFilter,
    options: { readonly signal: AbortSignal; readonly batchSize?: number },
  ): AsyncIterable<FeedMessage>;
}

export class ConcurrencyConflict extends Error {
  readonly stream: string;
  readonly actual: bigint | 'none';
  /** `detail`: what else is known, for example that a retry carries other events than its first try. */
  constructor(stream: string, expected: ExpectedRevision, actual: bigint | 'none', detail?: string) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}${detail ? `: ${detail}` : ''}`);
    this.name = 'ConcurrencyConflict';
    this.stream = stream;
    this.actual = actual;
  }
}
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}
/** Whoever runs the store has deleted the stream for ever: nothing is there, and nothing can be appended. */
export class StreamDeleted extends Error {
  override readonly name = 'StreamDeleted';
  readonly stream: string;
  constructor(stream: string, options?: ErrorOptions) {
    super(
      `stream ${stream} was deleted for ever in the event store: nothing can be read or written there`,
      options,
    );
    this.stream = stream;
  }
}
/** The append was made before, and its events were deleted since, by hand or by a rule of the stream for their age or number. */
export class EventsGone extends Error {
  override readonly name = 'EventsGone';
  readonly stream: string;
  constructor(stream: string, revision: bigint) {
    super(`this append made revision ${revision} of stream ${stream} before; its events were deleted since`);
    this.stream = stream;
  }
}
/** Another program wrote to the stream, so that nobody can tell what it says: no JSON object, or an event of the server. */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  readonly stream: string;
  readonly revision: bigint;
  constructor(stream: string, revision: bigint) {
    super(
      `revision ${revision} of stream ${stream} was written by another program: it is no event of this service`,
    );
    this.stream = stream;
    this.revision = revision;
  }
}
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** `full`: its disk has no room, and an operator must make some. */
  readonly reason: 'away' | 'full';
  constructor(message: string, options?: ErrorOptions & { readonly reason?: 'away' | 'full' }) {
    super(message, options);
    this.reason = options?.reason ?? 'away';
  }
}

/** The last revision that any stream can have: what both stores count with. */
export const MAX_REVISION = 2n ** 63n - 2n;

/** Limits on every adapter; of bytes, in UTF-8 of JSON. */
export const MAX_EVENT_BYTES = 256 * 1024;
export const MAX_APPEND_BYTES = 900 * 1024;
/** Events of one append: so many tiny ones take a quarter of the time that any store has for an answer. */
export const MAX_APPEND_EVENTS = 2_000;
