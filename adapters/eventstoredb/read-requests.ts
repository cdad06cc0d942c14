import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter } from '../../application/ports/event-store.ts';
import type { LogPlace } from './records.ts';

type Options = ReadReq.Options;

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;
/** More than any stream or log holds. */
const ALL = Number.MAX_SAFE_INTEGER;
/** Events that the server searches in one go for a filter; its default of 32 to 50 costs a turn of its queues each. */
const SEARCH_WINDOW = 1_000;
/** Types of the server's own events begin with `$`: statistics, links, stream metadata. They come by the thousand. */
const NO_SYSTEM_EVENTS = '^[^$]';

/** One stream: forwards from a revision, or backwards from the end. */
export const streamRequest = (
  stream: string,
  { from, limit = ALL }: { readonly from: bigint | 'end'; readonly limit?: number },
): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.StreamOptions();
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream, 'utf8'));
    of.setStreamIdentifier(identifier);
    if (from === 'end') of.setEnd(new shared.Empty());
    else of.setRevision(String(from));
    options.setStream(of);
    if (from === 'end') options.setReadDirection(BACKWARDS);
    options.setCount(String(limit));
  });

/** The log forwards, beginning with the record at `from` (inclusive; null: from the beginning). */
export const logRequest = (from: LogPlace | null, filter: EventFilter): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    if (from === null) of.setStart(new shared.Empty());
    else of.setPosition(placeOf(from));
    options.setAll(of);
    options.setCount(String(ALL));
    options.setFilter(serverFilter(filter));
  });

/** The log backwards, beginning before the record at `before` (exclusive; null: from the end). */
export const logBackRequest = (before: LogPlace | null, filter: EventFilter): ReadReq =>
  request((options) => {
    options.setAll(behind(before));
    options.setReadDirection(BACKWARDS);
    options.setCount(String(ALL));
    options.setFilter(serverFilter(filter));
  });

/** Everything after `after` (exclusive; null: from now on), for ever, but for the server's own events. */
export const subscriptionRequest = (after: LogPlace | null): ReadReq =>
  request((options) => {
    options.setAll(behind(after));
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    options.setFilter(serverFilter({}));
  });

/** The newest record of the log, whatever it is. */
export const newestRequest = (): ReadReq =>
  request((options) => {
    options.setAll(behind(null));
    options.setReadDirection(BACKWARDS);
    options.setCount('1');
  });

/** No event can match; a filter without alternatives would match everything on the server. */
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

const placeOf = ({ commit, prepare }: LogPlace): ReadReq.Options.Position => {
  const position = new streams.ReadReq.Options.Position();
  position.setCommitPosition(String(commit));
  position.setPreparePosition(String(prepare));
  return position;
};

/** Null: the end of the log. */
const behind = (place: LogPlace | null): ReadReq.Options.AllOptions => {
  const of = new streams.ReadReq.Options.AllOptions();
  if (place === null) of.setEnd(new shared.Empty());
  else of.setPosition(placeOf(place));
  return of;
};

/**
 * The server filters by prefixes of stream names or by types of events, never by both; `matchesFilter` does the rest
 * here. Types leave out more than categories do.
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

/** The characters that are special in JavaScript's and in .NET's regular expressions alike. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
