import type { DomainEvent } from '../../../../application/event-sourcing/domain-event.ts';
import type { ProjectedEvent } from '../../../../application/event-sourcing/projected-event.ts';
import { replaceContents } from '../../../../application/read-models/source-contents.ts';
import { sourceRow } from '../../../../application/read-models/source-row.ts';
import type { DigestText } from '../../../../domain/chunking/content-id.ts';
import type { SourceEvent } from '../../../../domain/source/events.ts';
import { inTurns } from '../../event-loop.ts';
import {
  type FoldedBatch,
  type HiddenDataSource,
  NO_SOURCE,
  type SourceState,
  type StoredBatch,
} from './batch.ts';
import { type ChunkSets, chunkSetKey } from './chunk-sets.ts';
import { dataSourceOf } from './load-batch.ts';

/** Documents between two turns of the event loop: the ids of a few hundred chunks are hashed. */
const AT_ONCE = 50;

/** Applies the events in their order, in memory. */
export const foldBatch = async (
  before: StoredBatch,
  events: readonly ProjectedEvent[],
  chunkSets: ChunkSets,
  digest: DigestText,
): Promise<FoldedBatch> => {
  const sources = new Map<string, SourceState>(before.sources);
  const hidden = new Map(before.hidden);
  await inTurns(events, AT_ONCE, (projected) => {
    const { event, streamId, metadata } = projected;
    if (event.type === 'DataSourceDeletionRequested') hide(hidden, streamId, metadata.tenant, false);
    else if (event.type === 'DataSourceDeleted') {
      hide(hidden, streamId, metadata.tenant, true);
      for (const [id, { row }] of sources) if (row?.dataSourceId === streamId) sources.set(id, NO_SOURCE);
    } else if (isOfSource(event)) {
      const state = sources.get(streamId) ?? NO_SOURCE;
      const dataSource = dataSourceOf(projected) ?? state.row?.dataSourceId;
      if (dataSource !== undefined && hidden.get(dataSource)?.deleted === true) return;
      sources.set(streamId, foldSource(state, event, projected, chunkSets, digest));
    }
  });
  return { sources, hidden };
};

const hide = (
  hidden: Map<string, HiddenDataSource>,
  dataSourceId: string,
  tenant: string,
  deleted: boolean,
): void => {
  if (hidden.get(dataSourceId)?.deleted !== true) hidden.set(dataSourceId, { dataSourceId, tenant, deleted });
};

const isOfSource = (event: DomainEvent): event is SourceEvent => {
  const type: string = event.type;
  return type.startsWith('Source');
};

const foldSource = (
  state: SourceState,
  event: SourceEvent,
  { streamId: id, revision, metadata: { tenant } }: ProjectedEvent,
  chunkSets: ChunkSets,
  digest: DigestText,
): SourceState => {
  const row = sourceRow(state.row, event, { id, tenant, revision });
  if (row === state.row || row === null) return state;
  switch (event.type) {
    case 'SourceIndexed': {
      const set = chunkSets.get(chunkSetKey(event.dataSourceId, event.chunkSet.sha256)) ?? null;
      if (set === null) return { row, contents: [], contentMissing: true, keywords: [] };
      const { title, language, at } = event;
      const version = {
        sourceId: id,
        title,
        ...(language !== undefined && { language }),
        chunks: set.chunks,
        at,
      };
      const contents = replaceContents(state.contents, version, digest);
      return { row, contents, contentMissing: false, keywords: set.keywords };
    }
    case 'SourceSkipped':
    case 'SourceRemoved':
      return { row, contents: [], contentMissing: false, keywords: [] };
    case 'SourceFailed':
    case 'SourceMetadataReplaced':
    case 'SourceMetadataDeleted':
      return { ...state, row };
  }
};
