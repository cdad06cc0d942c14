/**
 * The event store: streams of immutable events, appended at an exact revision.
 *
 * Revisions are zero-based and gapless per stream. A position orders events over all streams: an opaque string,
 * compared lexicographically, never reused. Every adapter orders `feed` by position, and the order never changes.
 */

type JsonScalar = null | boolean | number | string;
export type JsonValue = JsonScalar | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Opaque, lexicographically ordered. `''` sorts before every position: "from the beginning". */
export type Position = string;
export const BEGINNING: Position = '';

/** Revision of the last event that the writer has seen; `none`: the stream must not exist yet. There is no "any". */
export type ExpectedRevision = bigint | 'none';

export interface NewEvent {
  /**
   * UUID, generated once per command, outside every retry loop: the store recognises a repeated append by it. Never
   * reused for another event; a store that can detect reuse refuses it with InvalidEvent.
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
  /** When the store accepted the event, in Unix milliseconds. Informative; decisions use times in `data`. */
  readonly recordedAt: number;
}

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: bigint;
  /** Position of the last event of this append. */
  readonly position: Position;
}

/** Operations of every event store. */
export interface EventStreams {
  /**
   * Appends all events or none, directly after revision `expected`.
   *
   * Strongly idempotent: if the events at exactly those revisions already have the same ids, the store writes nothing
   * and returns the first result again. The promise resolves only when the events are durable.
   *
   * @throws ConcurrencyConflict when the stream has another revision; nothing was written
   * @throws AppendTooLarge, InvalidEvent before anything is sent: see `checkAppend`, which every adapter calls
   * @throws InvalidEvent for an expected revision that no stream can have; -1 means `none`
   * @throws StreamDeleted, StreamCut (perhaps after it was written), EventsGone, ForeignEvent if another program changed
   * the stream: a retry does not help
   * @throws OutcomeUnknown when the answer was lost: a retry with the same ids and revision is safe
   * @throws EventStoreUnavailable when nothing was written because the store cannot be reached
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly [NewEvent, ...NewEvent[]],
  ): Promise<AppendResult>;

  /**
   * Events of one stream in revision order, from `from` (inclusive, default 0). Empty for an unknown stream, and after
   * the last revision. Read long streams in parts, with `limit`. The first has revision `from`; none is left out.
   *
   * @throws StreamCut if events were removed from the stream; StreamDeleted, ForeignEvent if another program changed it
   * @throws EventStoreUnavailable when the store cannot be reached, or shows less of the stream than it did before
   */
  readStream(stream: string, from?: bigint, limit?: number): Promise<readonly RecordedEvent[]>;
}

export interface EventStore extends EventStreams {
  /** A call fails as soon as the store is known to be unavailable. */
  readonly retrying?: false;
}

/**
 * An event store whose calls wait some minutes for an unavailable store: for jobs, never while a client waits for the
 * answer. `retrying` keeps the two kinds apart.
 */
export interface RetryingEventStore extends EventStreams {
  readonly retrying: true;
}

/** All given conditions must hold; an absent condition matches everything. */
export interface EventFilter {
  /** The part of the stream name before the first `-`. */
  readonly categories?: readonly string[];
  /** Stored type names. */
  readonly types?: readonly string[];
  readonly stream?: string;
  /** `metadata.tenant`. */
  readonly tenant?: string;
  /** `metadata.actor.id`. */
  readonly actor?: string;
  /** Trace id in `metadata.traceparent`: 32 hexadecimal digits. */
  readonly traceId?: string;
  /** Bounds on `recordedAt`, Unix milliseconds: from inclusive, to exclusive. */
  readonly from?: number;
  readonly to?: number;
}

export type FeedMessage =
  | {
      readonly kind: 'events';
      readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
      /** A checkpoint: at or after the last event. */
      readonly position: Position;
    }
  /**
   * Every event up to and including `position` was delivered or does not match. A reader may store it as its
   * checkpoint.
   */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** The reader has seen everything visible; later messages are live. Sent each time it catches up. */
  | { readonly kind: 'caughtUp'; readonly position: Position };

/** What one read finds. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** Where to read on: everything before it, in the direction of the reader, was returned or does not match. */
  readonly position: Position;
  /** More events may match behind `position`. */
  readonly more: boolean;
}

export interface EventFeed {
  /**
   * The end of the stable part of the log, read after this call: at or after the last event that a reader can see.
   * BEGINNING for an empty log.
   *
   * @throws EventStoreUnavailable when the store cannot be reached
   */
  head(): Promise<Position>;

  /**
   * Matching events after `after` (exclusive), `limit` at most, in position order, only from the stable part of the log.
   * A read of more than one stream ends after some ten thousand events that do not match, so its time is bounded.
   */
  read(after: Position, filter: EventFilter, limit: number): Promise<EventPage>;

  /**
   * The last matching events before `before` (exclusive; BEGINNING: from the end of the log), newest first, only from
   * the stable part of the log; bounded as `read`.
   */
  readBack(before: Position, filter: EventFilter, limit: number): Promise<EventPage>;

  /**
   * Whether the log has an event at or after `position`, including acknowledged events that are not stable yet. False
   * for a position that the log has not reached.
   *
   * @throws DomainError invalid_cursor for a text that is no position of this log
   */
  holds(position: Position): Promise<boolean>;

  /**
   * Follows the log in position order, without gaps, each event once, until `signal` aborts; then it ends normally.
   * Batches have at most `batchSize` (default 500) events. A `checkpoint` follows trailing events that do not match, so
   * that a selective reader advances too. It recovers from lost connections, and throws only errors that a retry cannot
   * fix: a position of another store, a missing schema. A follower of one stream ends normally when the stream is
   * permanently deleted; `read` and `readBack` then throw StreamDeleted. Events of other programs are skipped.
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
  /** `detail`: more context, for example that a retry has other events than its first attempt. */
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
/** An operator permanently deleted the stream in the store: it cannot be read or appended to. */
export class StreamDeleted extends Error {
  override readonly name = 'StreamDeleted';
  readonly stream: string;
  constructor(stream: string, options?: ErrorOptions) {
    super(`stream ${stream} was permanently deleted in the event store`, options);
    this.stream = stream;
  }
}
/** Events are missing: a retention rule, a soft deletion or somebody's hand removed them. The rest is not the whole. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut';
  readonly stream: string;
  /** @param from the first revision that is missing */
  constructor(stream: string, from: bigint) {
    super(`events of stream ${stream} were removed from the event store, from revision ${from} on`);
    this.stream = stream;
  }
}
/** The append was made before, but its events were deleted since, by hand or by a retention rule of the stream. */
export class EventsGone extends Error {
  override readonly name = 'EventsGone';
  readonly stream: string;
  constructor(stream: string, revision: bigint) {
    super(`the events of this append (revision ${revision} of stream ${stream}) have been deleted since`);
    this.stream = stream;
  }
}
/** The stream contains an event of another program or the server, or no JSON object: its meaning is unknown. */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  readonly stream: string;
  readonly revision: bigint;
  constructor(stream: string, revision: bigint) {
    super(`revision ${revision} of stream ${stream} is an event of another program`);
    this.stream = stream;
    this.revision = revision;
  }
}
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** `full`: its disk is full; `refused`: it does not let this service in. Both need an operator. */
  readonly reason: 'unavailable' | 'full' | 'refused';
  constructor(message: string, options?: ErrorOptions & Partial<Pick<EventStoreUnavailable, 'reason'>>) {
    super(message, options);
    this.reason = options?.reason ?? 'unavailable';
  }
}

/** Limits for every adapter, in UTF-8 bytes of JSON. */
export const MAX_EVENT_BYTES = 256 * 1024;
export const MAX_APPEND_BYTES = 900 * 1024;
/** Events per append. So many tiny events take a quarter of the time that each store allows for an answer. */
export const MAX_APPEND_EVENTS = 2_000;
