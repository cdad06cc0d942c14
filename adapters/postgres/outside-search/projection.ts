import type { ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import {
  type SearchEngineIndexes,
  SearchEngineUnavailable,
} from '../../../application/ports/search-engine.ts';
import { searchableSources } from './searchable-sources.ts';
import type { DecodedProjection } from '../projections/projection.ts';

/** How long a batch waits for the catalog before it is repeated. */
const CATALOG_MS = 10_000;

/**
 * Keeps an index of an engine outside of this database up to date. The events tell which sources have changed; their
 * texts are read from the catalog, which goes first. Each version of the view is an index of its own, named like the
 * schema.
 *
 * A source is written when the batch has its newest event, so that a rebuild writes each once. Writes are idempotent
 * and happen before the checkpoint moves: what the checkpoint covers is in the index. The index keeps the position too,
 * and the view goes back to it where the index was lost or restored from a backup.
 */
export const createSearchProjection = ({
  indexes,
  gate,
}: {
  readonly indexes: SearchEngineIndexes;
  /** Of the catalog alone. */
  readonly gate: ReadGate;
}): DecodedProjection => {
  const create = async (index: string): Promise<void> => {
    await indexes.create(index);
    await indexes.keepPosition(index, BEGINNING);
  };
  return {
    view: 'search',
    shape: 2,
    filter: { categories: ['source', 'dataSource'] },
    // No state follows from the events themselves.
    whole: [],
    batchSize: 500,
    tables: [],
    isRelevant: (type) => type.startsWith('Source') || REMOVES_ALL.has(type),
    create: (_, index) => create(index),
    drop: indexes.drop,
    resumeFrom: async (index, checkpoint) => {
      const position = await indexes.position(index);
      if (position !== null) return position < checkpoint ? position : checkpoint;
      await create(index);
      return BEGINNING;
    },
    apply: async (trx, index, events) => {
      const { position } = events.at(-1)!;
      if (!(await gate.reached(['catalog'], position, CATALOG_MS)))
        throw new SearchEngineUnavailable('the catalog has not read as far as the search engine');
      const writer = indexes.writer(index);
      const newest = newestRevisions(events);
      const sources = await searchableSources(trx, [...newest.keys()]);
      await writer.replace(sources.filter(({ id, revision }) => revision <= (newest.get(id) ?? 0n)));
      for (const { event, streamId, metadata } of events)
        if (REMOVES_ALL.has(event.type)) await writer.removeDataSource(metadata.tenant, streamId);
      await indexes.keepPosition(index, position);
    },
  };
};

const REMOVES_ALL: ReadonlySet<string> = new Set(['DataSourceDeletionRequested', 'DataSourceDeleted']);

/** The last revision of each source in the batch. */
const newestRevisions = (events: readonly ProjectedEvent[]): ReadonlyMap<string, bigint> =>
  new Map(
    events
      .filter(({ event }) => event.type.startsWith('Source'))
      .map(({ streamId, revision }) => [streamId, revision]),
  );
