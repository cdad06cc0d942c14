import { DomainError } from '../../domain/shared/domain-error.ts';
import type { EventCodec } from '../event-sourcing/event-codec.ts';
import type { EventFeed, EventStore } from '../ports/event-store.ts';
import type { Clock, Hash } from '../ports/identity.ts';
import type { Lifetimes } from '../ports/lifetimes.ts';
import type { Past } from '../access/past.ts';
import type { ReadGate } from '../ports/read-gate.ts';
import { parseMoment } from './moment.ts';
import { pastAccess } from './past-access.ts';
import { pastAgents } from './past-agents.ts';
import { pastDataSources } from './past-data-sources.ts';
import { createCountPast, createListPast } from './past-lists.ts';
import { createPastReader, createReadStream, type PastReader } from './past-reader.ts';
import { pastSourceGroups } from './past-source-groups.ts';
import { pastSources } from './past-sources.ts';
import { pastStreams } from './past-streams.ts';
import { pastTags } from './past-tags.ts';

export interface HistoryDeps {
  readonly store: EventStore;
  readonly feed: EventFeed;
  readonly codec: EventCodec;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly lifetimes: Lifetimes;
  readonly gate: ReadGate;
}

/**
 * Opens the past for one request, at a moment as a caller writes it.
 *
 * @throws DomainError invalid_request for what is no moment, or one in the future
 */
export type OpenPast = (moment: string) => Promise<Past>;

export const createOpenPast =
  (deps: HistoryDeps): OpenPast =>
  async (text) => {
    const moment = await parseMoment(text, deps.clock.now(), deps.feed);
    return pastOf(deps, createPastReader(createReadStream(deps), moment));
  };

/** How long a list waits for its index to hold what the log holds. */
const INDEX_WAIT_MS = 2_000;

/** @param counted whether records tell how many others belonged to them, which their own events do not tell */
export const pastOf = (
  { lifetimes, gate, feed, hash }: HistoryDeps,
  reader: PastReader,
  counted = true,
): Past => {
  let waited: Promise<Lifetimes> | undefined;
  const currentIndex = async (): Promise<Lifetimes> => {
    if (await gate.reached(['lifetime'], await feed.head(), INDEX_WAIT_MS)) return lifetimes;
    throw new DomainError(
      'unavailable',
      'the index of past lists has not reached the end of the log: try again',
    );
  };
  const index = () => (waited ??= currentIndex());
  const list = createListPast(index, reader.moment);
  return {
    dataSources: pastDataSources(reader, list),
    tags: pastTags(reader, list),
    sources: pastSources(reader, list),
    sourceGroups: pastSourceGroups(reader, list, counted ? createCountPast(index, reader.moment) : null),
    ...pastAccess(reader, list, hash),
    ...pastAgents(reader, list),
    streams: pastStreams(reader),
    endedAt: reader.endedAt,
  };
};
