import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Place } from './positions.ts';
import { NO_SYSTEM_EVENTS, type ServerFilter } from './server-filter.ts';

/** Reads are requested in the protocol's own messages: the client's `readAll` cannot send a filter. */
type Options = ReadReq.Options;

const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;
/** More than any stream or log holds. */
const ALL = Number.MAX_SAFE_INTEGER;
/** Events that the server looks at in one go for a filter; its default of 32 to 50 costs a turn of its queues each. */
const SEARCH_WINDOW = 1_000;

/** Of one stream: forwards from a revision, or backwards from the end. */
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

/** Of all streams, forwards, beginning with what lies at `from` (inclusive; null: from the beginning). */
export const logRequest = (from: Place | null, filter: ServerFilter): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    if (from === null) of.setStart(new shared.Empty());
    else of.setPosition(positionOf(from));
    options.setAll(of);
    options.setCount(String(ALL));
    options.setFilter(filterOf(filter));
  });

/** Of all streams, backwards, beginning before what lies at `before` (exclusive; null: from the end). */
export const logBackRequest = (before: Place | null, filter: ServerFilter): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    if (before === null) of.setEnd(new shared.Empty());
    else of.setPosition(positionOf(before));
    options.setAll(of);
    options.setReadDirection(BACKWARDS);
    options.setCount(String(ALL));
    options.setFilter(filterOf(filter));
  });

/** All that comes behind `after` (exclusive; null: from now on), for ever, but for the server's own events. */
export const subscriptionRequest = (after: Place | null): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    if (after === null) of.setEnd(new shared.Empty());
    else of.setPosition(positionOf(after));
    options.setAll(of);
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    options.setFilter(filterOf({ on: 'type', regex: NO_SYSTEM_EVENTS }));
  });

/** The newest event of all, whatever it is. */
export const newestRequest = (): ReadReq =>
  request((options) => {
    const of = new streams.ReadReq.Options.AllOptions();
    of.setEnd(new shared.Empty());
    options.setAll(of);
    options.setReadDirection(BACKWARDS);
    options.setCount('1');
  });

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

const positionOf = ({ commit, prepare }: Place): ReadReq.Options.Position => {
  const position = new streams.ReadReq.Options.Position();
  position.setCommitPosition(String(commit));
  position.setPreparePosition(String(prepare));
  return position;
};

const filterOf = (filter: ServerFilter): ReadReq.Options.FilterOptions => {
  const options = new streams.ReadReq.Options.FilterOptions();
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  if (filter.on === 'stream') {
    expression.setPrefixList([...filter.prefixes]);
    options.setStreamIdentifier(expression);
  } else {
    expression.setRegex(filter.regex);
    options.setEventType(expression);
  }
  options.setMax(SEARCH_WINDOW);
  options.setCheckpointintervalmultiplier(1);
  return options;
};
