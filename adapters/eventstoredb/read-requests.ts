import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter } from '../../application/ports/event-store.ts';
import type { LogPosition } from './records.ts';

type Options = ReadReq.Options;

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;
/** More events than any stream or log contains. */
const ALL = Number.MAX_SAFE_INTEGER;
/**
 * Events that the server searches per step for a filter; each step of its default of 32 to 50 costs a pass
 * through its queues.
 */
const SEARCH_WINDOW = 1_000;
/**
 * Event types of the server begin with `$`: statistics, links, stream metadata. They come by the thousand.
 */
export const NO_SYSTEM_EVENTS = '^[^$]';

/** Reads a stream from a revision (inclusive), or backwards from the end. */
export const streamRequest = (
  stream: string,
  {
    from,
    backwards = from === 'end',
    limit = ALL,
  }: { readonly from: bigint | 'end'; readonly backwards?: boolean; readonly limit?: number },
): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.StreamOptions();
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream, 'utf8'));
    of.setStreamIdentifier(identifier);
    if (from === 'end') of.setEnd(new shared.Empty());
    else of.setRevision(String(from));
    options.setStream(of);
    if (backwards) options.setReadDirection(BACKWARDS);
    options.setCount(String(limit));
  });

/** Reads the log forwards from the record at `from` (inclusive; null means from the beginning). */
export const logRequest = (from: LogPosition | null, filter: EventFilter): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    if (from === null) of.setStart(new shared.Empty());
    else of.setPosition(wirePosition(from));
    options.setAll(of);
    options.setCount(String(ALL));
    options.setFilter(serverFilter(filter));
  });

/** Reads the log backwards from the record before `before` (exclusive; null means from the end). */
export const logBackRequest = (before: LogPosition | null, filter: EventFilter): ReadReq =>
  request((options) => {
    options.setAll(allOptions(before));
    options.setReadDirection(BACKWARDS);
    options.setCount(String(ALL));
    options.setFilter(serverFilter(filter));
  });

/**
 * Subscribes to everything after `after` (exclusive; null means from now on), except the server's own events.
 */
export const subscriptionRequest = (after: LogPosition | null): ReadReq =>
  request((options) => {
    options.setAll(allOptions(after));
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    options.setFilter(serverFilter({}));
  });

/** Reads the record at a position, of any type. */
export const recordRequest = (position: LogPosition): ReadReq =>
  request((options) => {
    options.setAll(allOptions(position));
    options.setCount('1');
  });

/** Reads the newest record before `before` (exclusive; null means from the end), of any type. */
export const newestRequest = (before: LogPosition | null = null): ReadReq =>
  request((options) => {
    options.setAll(allOptions(before));
    options.setReadDirection(BACKWARDS);
    options.setCount('1');
  });

/** Whether no event can match; to the server, a filter without alternatives would match everything. */
export const matchesNothing = ({ types, categories, stream }: EventFilter): boolean =>
  types?.length === 0 || categories?.length === 0 || stream?.startsWith('$') === true || stream === '';

const request = (fill: (options: Options) => void): ReadReq => {
  const options = new streams.ReadReq.Options();
  const ids = new streams.ReadReq.Options.UUIDOption();
  ids.setString(new shared.Empty());
  options.setUuidOption(ids);
  options.setResolveLinks(false);
  options.setReadDirection(FORWARDS);
  options.setNoFilter(new shared.Empty());
  fill(options);
  const whole = new streams.ReadReq();
  whole.setOptions(options);
  return whole;
};

const wirePosition = ({ commit, prepare }: LogPosition): ReadReq.Options.Position => {
  const position = new streams.ReadReq.Options.Position();
  position.setCommitPosition(String(commit));
  position.setPreparePosition(String(prepare));
  return position;
};

/** Null means the end of the log. */
const allOptions = (position: LogPosition | null): ReadReq.Options.AllOptions => {
  const of = new streams.ReadReq.Options.AllOptions();
  if (position === null) of.setEnd(new shared.Empty());
  else of.setPosition(wirePosition(position));
  return of;
};

/**
 * The server filters by prefixes of stream names or by event types, never by both; `matchesFilter` does the
 * rest here. Types are the more selective filter.
 */
const serverFilter = ({ types, categories }: EventFilter): ReadReq.Options.FilterOptions => {
  const options = new streams.ReadReq.Options.FilterOptions();
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (types === undefined && categories !== undefined) {
    expression.setPrefixList(categories.map((name) => `${name}-`));
    options.setStreamIdentifier(expression);
  } else {
    expression.setRegex(types ? `^(?:${types.map(escaped).join('|')})$` : NO_SYSTEM_EVENTS);
    options.setEventType(expression);
  }
  options.setMax(SEARCH_WINDOW);
  options.setCheckpointintervalmultiplier(1);
  return options;
};

/** Escapes the special characters of JavaScript's and .NET's regular expressions. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
