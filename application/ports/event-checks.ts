import {
  type EventFilter,
  EventsGone,
  ForeignEvent,
  type RecordedEvent,
  type ExpectedRevision,
  InvalidEvent,
  AppendTooLarge,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  MAX_EVENT_BYTES,
  type NewEvent,
  StreamCut,
  StreamDeleted,
} from './event-store.ts';

/** A validated event, serialised once: adapters send these texts as they are. */
export interface CheckedEvent {
  /** Lower case. Input may have either case (RFC 9562, section 4). */
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** `metadata.tenant` if it is a string, for stores that filter by it. */
  readonly tenant: string | null;
  /** UTF-8 bytes of `data` and `metadata`. */
  readonly bytes: number;
}

/** The highest revision that any stream can have in both stores. */
export const MAX_REVISION = 2n ** 63n - 2n;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STREAM = /^[a-z][A-Za-z0-9]*-[0-9A-Za-z-]+$/;
const TYPE = /^[A-Za-z][A-Za-z0-9._]*$/;
const MAX_NAME = 200;
const MAX_DEPTH = 100;

/** The part of a stream name before the first `-`. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/**
 * Checks that every adapter makes before it sends anything, so that all adapters refuse the same appends.
 *
 * @throws InvalidEvent if some store could not return a name, an id or a value unchanged
 * @throws AppendTooLarge beyond MAX_EVENT_BYTES, MAX_APPEND_BYTES or MAX_APPEND_EVENTS
 */
export const checkAppend = (stream: string, events: readonly NewEvent[]): readonly CheckedEvent[] => {
  if (stream.length > MAX_NAME || !STREAM.test(stream)) {
    throw new InvalidEvent(`stream name ${JSON.stringify(stream.slice(0, MAX_NAME))} is not category-id`);
  }
  if (events.length === 0) throw new InvalidEvent(`append to ${stream} has no events`);
  if (events.length > MAX_APPEND_EVENTS) {
    throw new AppendTooLarge(
      `append to ${stream} has ${events.length} events, more than the limit of ${MAX_APPEND_EVENTS}`,
    );
  }
  const checked = events.map(checkEvent);
  if (new Set(checked.map((event) => event.id)).size < checked.length) {
    throw new InvalidEvent(`append to ${stream} contains the same event id twice`);
  }
  const bytes = checked.reduce((sum, event) => sum + event.bytes, 0);
  if (bytes > MAX_APPEND_BYTES) {
    throw new AppendTooLarge(
      `append to ${stream} has ${bytes} bytes, more than the limit of ${MAX_APPEND_BYTES}`,
    );
  }
  return checked;
};

const checkEvent = (event: NewEvent): CheckedEvent => {
  const id = event.id.toLowerCase();
  if (!UUID.test(id)) throw new InvalidEvent(`event id ${JSON.stringify(event.id)} is not a UUID`);
  if (event.type.length > MAX_NAME || !TYPE.test(event.type)) {
    throw new InvalidEvent(`event type ${JSON.stringify(event.type.slice(0, MAX_NAME))} is not a valid name`);
  }
  const data = serialise(event.data, `${event.type}.data`);
  const metadata = serialise(event.metadata, `${event.type}.metadata`);
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > MAX_EVENT_BYTES) {
    throw new AppendTooLarge(
      `event ${event.type} has ${bytes} bytes, more than the limit of ${MAX_EVENT_BYTES}`,
    );
  }
  const tenant = event.metadata['tenant'];
  return { id, type: event.type, data, metadata, tenant: typeof tenant === 'string' ? tenant : null, bytes };
};

/** The result is one line, because JSON.stringify escapes line feeds. */
const serialise = (value: unknown, name: string): string => {
  if (!isPlainObject(value)) throw new InvalidEvent(`${name} is not a JSON object`);
  const flaw = flawOf(value, 0);
  if (flaw !== null) throw new InvalidEvent(`${name}${flaw}`);
  return JSON.stringify(value);
};

/**
 * Where and why a value is not valid JSON, or null. JSON.stringify does not report it: it drops `undefined`, turns NaN
 * into null and calls toJSON. Postgres refuses NUL and lone surrogates. The path is built while returning, so that
 * valid values cost nothing.
 */
const flawOf = (value: unknown, depth: number): string | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return textFlaw(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : ` is ${value}, which JSON cannot hold`;
  if (depth > MAX_DEPTH) return ` is nested deeper than ${MAX_DEPTH}`;
  if (Array.isArray(value)) {
    // forEach would skip the holes of a sparse array.
    for (let index = 0; index < value.length; index += 1) {
      const flaw = flawOf(value[index], depth + 1);
      if (flaw !== null) return `[${index}]${flaw}`;
    }
    return null;
  }
  if (!isPlainObject(value)) return ` is ${describe(value)}, which JSON cannot hold`;
  for (const key of Object.keys(value)) {
    const flaw = textFlaw(key) ?? flawOf(value[key], depth + 1);
    if (flaw !== null) return `.${key}${flaw}`;
  }
  return null;
};

const textFlaw = (text: string): string | null => {
  if (!text.isWellFormed()) return ' holds a lone surrogate';
  return text.includes('\u0000') ? ' holds a NUL character' : null;
};

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof Reflect.get(value, 'toJSON') !== 'function'
  );
};

const describe = (value: unknown): string =>
  typeof value === 'object' ? Object.prototype.toString.call(value) : `a ${typeof value}`;

/**
 * The revision after which the events are appended; -1 for `none`. All adapters call it before they send anything.
 *
 * @throws InvalidEvent for a revision that no stream can have, or after which so many events do not fit
 */
export const revisionBefore = (stream: string, expected: ExpectedRevision, events: number): bigint => {
  const before = expected === 'none' ? -1n : expected;
  if (before >= -1n && before + BigInt(events) <= MAX_REVISION) return before;
  throw new InvalidEvent(`stream ${stream} cannot have revision ${expected}`);
};

/** The first revision to read; null if no event can have it. */
export const revisionFrom = (from: bigint): bigint | null => {
  if (from > MAX_REVISION) return null;
  return from < 0n ? 0n : from;
};

/** Returns the events that a stream has from `from` on. @throws StreamCut if one of them is missing */
export const withoutGap = (
  stream: string,
  from: bigint,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] => {
  let next = from;
  for (const { revision } of events) {
    if (revision !== next) throw new StreamCut(stream, next);
    next += 1n;
  }
  return events;
};

/** Whether another program changed a stream: nothing but an operator helps. */
export const isDamagedStream = (
  error: unknown,
): error is StreamDeleted | StreamCut | EventsGone | ForeignEvent =>
  error instanceof StreamDeleted ||
  error instanceof StreamCut ||
  error instanceof EventsGone ||
  error instanceof ForeignEvent;

type Actor = { readonly id?: unknown } | null | undefined;

/** As stores find it, which do not check the rest of the text. */
const traceOf = ({ metadata: { traceparent } }: RecordedEvent): string | undefined =>
  typeof traceparent === 'string' ? traceparent.slice(TRACE_ID.start, TRACE_ID.end) : undefined;

/** Place of the trace id in a `traceparent`. */
const TRACE_ID = { start: 3, end: 35 };

/** Implements `EventFilter` for adapters whose store cannot filter. */
export const matchesFilter = (filter: EventFilter, event: RecordedEvent): boolean =>
  (filter.stream === undefined || event.stream === filter.stream) &&
  (filter.categories === undefined || filter.categories.includes(categoryOf(event.stream))) &&
  (filter.types === undefined || filter.types.includes(event.type)) &&
  (filter.tenant === undefined || event.metadata['tenant'] === filter.tenant) &&
  (filter.actor === undefined || (event.metadata['actor'] as Actor)?.['id'] === filter.actor) &&
  (filter.traceId === undefined || traceOf(event) === filter.traceId) &&
  (filter.from === undefined || event.recordedAt >= filter.from) &&
  (filter.to === undefined || event.recordedAt < filter.to);
