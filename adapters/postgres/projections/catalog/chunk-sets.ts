import type { ChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import type { ProjectedEvent } from '../../../../application/event-sourcing/projected-event.ts';
import type { StoredBatch } from './batch.ts';

/** The chunk set of that hash in the area of the data source; null when it is not there (any more). */
export type ReadChunkSet = (dataSourceId: string, sha256: string) => Promise<ChunkSet | null>;

/** Files read at the same time. */
const AT_ONCE = 16;

/** Chunk sets by data source and hash; null for one that is not there. */
export type ChunkSets = ReadonlyMap<string, ChunkSet | null>;

export const chunkSetKey = (dataSourceId: string, sha256: string): string => `${dataSourceId}/${sha256}`;

/** Reads what the events bring that the rows do not hold yet, each file once. */
export const readChunkSets = async (
  { sources, hidden }: StoredBatch,
  events: readonly ProjectedEvent[],
  readChunkSet: ReadChunkSet,
): Promise<ChunkSets> => {
  const wanted = new Map<string, { readonly dataSourceId: string; readonly sha256: string }>();
  for (const { event, streamId, revision } of events) {
    if (event.type !== 'SourceIndexed' || hidden.get(event.dataSourceId)?.deleted === true) continue;
    if ((sources.get(streamId)?.row.revision ?? -1n) >= revision) continue;
    const { dataSourceId, chunkSet } = event;
    wanted.set(chunkSetKey(dataSourceId, chunkSet.sha256), { dataSourceId, sha256: chunkSet.sha256 });
  }
  const sets = new Map<string, ChunkSet | null>();
  const queue = wanted.entries();
  const reader = async (): Promise<void> => {
    for (const [key, { dataSourceId, sha256 }] of queue)
      sets.set(key, await readChunkSet(dataSourceId, sha256));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return sets;
};
