import type { ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { type ContentChanges, contentChanges } from '../../../../application/read-models/source-contents.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import type { ChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import {
  type ChunkSets,
  chunkSetKey,
  type FoldedBatch,
  type SourceState,
  type StoredBatch,
  type StoredContent,
  type StoredSource,
} from './batch.ts';

/** Reads the chunk set with that hash in the area of the data source; null if it is missing. */
export type ReadChunkSet = (dataSourceId: string, sha256: string) => Promise<ChunkSet | null>;

/** Files that are read concurrently. */
const MAX_CONCURRENT_READS = 16;

/** Reads the chunk sets of events that the rows do not contain yet, each file once. */
export const readChunkSets = async (
  { sources, hidden }: StoredBatch,
  events: readonly ProjectedEvent[],
  readChunkSet: ReadChunkSet,
): Promise<ChunkSets> => {
  const missing = new Map<string, { readonly dataSourceId: string; readonly sha256: string }>();
  for (const { event, streamId, revision } of events) {
    if (event.type !== 'SourceIndexed' || hidden.get(event.dataSourceId)?.deleted === true) continue;
    if ((sources.get(streamId)?.row.revision ?? -1n) >= revision) continue;
    const { dataSourceId, chunkSet } = event;
    missing.set(chunkSetKey(dataSourceId, chunkSet.sha256), { dataSourceId, sha256: chunkSet.sha256 });
  }
  const sets = new Map<string, ChunkSet | null>();
  const queue = missing.entries();
  const reader = async (): Promise<void> => {
    for (const [key, { dataSourceId, sha256 }] of queue)
      sets.set(key, await readChunkSet(dataSourceId, sha256));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, reader));
  return sets;
};

/** A source whose row must be written. */
export interface ChangedSource {
  readonly row: SourceRow;
  readonly before: StoredSource | null;
  readonly after: SourceState;
  readonly contents: ContentChanges<StoredContent>;
}

/** Row numbers of the sources by id. */
export type SourceNumbers = ReadonlyMap<string, number>;

/** Omits sources that the batch did not change, and those of a deleted data source. */
export const changedSources = (before: StoredBatch, after: FoldedBatch): readonly ChangedSource[] => {
  const changed: ChangedSource[] = [];
  for (const [id, state] of after.sources) {
    const stored = before.sources.get(id) ?? null;
    if (state === stored || state.row === null) continue;
    const contents =
      state.contents === stored?.contents
        ? UNCHANGED
        : contentChanges(stored?.contents ?? [], state.contents);
    changed.push({ row: state.row, before: stored, after: state, contents });
  }
  return changed;
};

const UNCHANGED: ContentChanges<StoredContent> = { gone: [], moved: [], fresh: [] };
