import type { Past } from '../access/past.ts';
import { type DomainEvent, isUnknown } from '../event-sourcing/aggregates.ts';
import { absent, type PastEvent } from '../event-sourcing/load.ts';
import type { StreamOf } from '../../domain/shared/decider.ts';
import type { Fold } from '../event-sourcing/state-cache.ts';
import { lifetimeChange } from '../read-models/lifetimes.ts';
import { isBy } from './moment.ts';
import { type HistoricEvent, known, type PastReader } from './past-reader.ts';

/** Loads states and histories up to the moment, for operations that read aggregates themselves. */
export const pastStreams = (reader: PastReader): Past['streams'] => {
  const upTo = async (stream: string, tenant: string): Promise<readonly HistoricEvent[]> => {
    const all = await reader.events(stream, tenant, () => true);
    const later = all.findIndex((event) => !isBy(reader.moment, event));
    if (later === -1) return all.map(known);
    const end = all.slice(later).find((event) => !isUnknown(event) && endsStream(event));
    if (end !== undefined) reader.noteEnd(end.streamId, end.recordedAt);
    return all.slice(0, later).map(known);
  };
  return {
    load: async <Event extends DomainEvent, State, Category extends string>(
      fold: Fold<Event, State, Category>,
      stream: StreamOf<NoInfer<Category>>,
      tenant: string | undefined,
    ) => {
      if (tenant === undefined) throw new Error('the past is read for one tenant');
      const past = await upTo(stream, tenant);
      const last = past.at(-1)?.recorded;
      if (last === undefined) return absent(fold);
      const state = past.reduce((before, { event }) => fold.evolve(before, event as never), fold.initial);
      return { state, revision: last.revision, position: last.position, last, tenant };
    },
    history: async <Event extends DomainEvent>(
      _: unknown,
      stream: string,
      tenant: string,
      range?: { readonly from: bigint; readonly limit: number },
    ) => {
      const past = await upTo(stream, tenant);
      const from = Number(range?.from ?? 0n);
      const some = range === undefined ? past : past.slice(from, from + range.limit);
      return some.map(({ event, recorded }): PastEvent<Event> => ({ event: event as never, recorded }));
    },
  };
};

const endsStream = (event: HistoricEvent): boolean => {
  const change = lifetimeChange(event);
  return change?.kind === 'ends' || (change?.kind === 'endsAll' && change.of === event.streamId);
};
