import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Stored } from './log.ts';

/** A filter by names of streams or by types, by prefixes or by a regular expression; without one all match. */
export const matcherOf = (
  filter: ReadReq.Options.FilterOptions | undefined,
): ((record: Stored) => boolean) => {
  if (filter === undefined) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const text = ({ stream, type }: Stored): string => (byStream ? stream : type);
  const regex = expression?.getRegex();
  if (regex) {
    const compiled = new RegExp(regex);
    return (record) => compiled.test(text(record));
  }
  const prefixes = expression?.getPrefixList() ?? [];
  return (record) => prefixes.some((prefix) => text(record).startsWith(prefix));
};

/** After how many records that were looked at a checkpoint follows. */
export const checkpointEvery = (filter: ReadReq.Options.FilterOptions | undefined): number =>
  filter === undefined
    ? Infinity
    : filter.getCheckpointintervalmultiplier() * (filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW);

const DEFAULT_WINDOW = 50;
