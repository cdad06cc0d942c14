import type { DomainEvent, ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { type ContentRow, replaceContents } from '../../../../application/read-models/source-contents.ts';
import { type SourceRow, sourceRow } from '../../../../application/read-models/source-row.ts';
import type { DigestText } from '../../../../domain/chunking/content-id.ts';
import type { SourceEvent } from '../../../../domain/source/events.ts';
import type { Sql } from '../../database-schema.ts';
import { mapYielding } from '../../event-loop.ts';
import { sql } from 'kysely';
import type { ChunkSet } from '../../../../domain/chunking/chunk-set.ts';

/** Chunk sets by data source and hash; null if the file is missing. */
export type ChunkSets = ReadonlyMap<string, ChunkSet | null>;

export const chunkSetKey = (dataSourceId: string, sha256: string): string => `${dataSourceId}/${sha256}`;

/** A document and its contents while a batch is folded. */
export interface SourceState {
  /** Null if nothing is known, or after its data source was deleted. */
  readonly row: SourceRow | null;
  readonly contents: readonly ContentRow[];
  /** Whether the chunk set of the row's version was missing. */
  readonly contentMissing: boolean;
  readonly keywords: readonly string[];
}

export interface StoredContent extends ContentRow {
  readonly no: number;
}
export interface StoredSource extends SourceState {
  readonly no: number;
  readonly row: SourceRow;
  readonly contents: readonly StoredContent[];
}

/** A data source that no read shows. Once it is deleted, later events of its sources are ignored. */
export interface HiddenDataSource {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly deleted: boolean;
}

/** The stored rows of the sources and data sources of a batch. */
export interface StoredBatch {
  readonly sources: ReadonlyMap<string, StoredSource>;
  readonly hidden: ReadonlyMap<string, HiddenDataSource>;
}

/** The rows after the batch. */
export interface FoldedBatch {
  readonly sources: ReadonlyMap<string, SourceState>;
  readonly hidden: ReadonlyMap<string, HiddenDataSource>;
}

const NO_SOURCE: SourceState = { row: null, contents: [], contentMissing: false, keywords: [] };

/** Documents between two yields to the event loop, because the ids of a few hundred chunks are hashed. */
const DOCUMENTS_PER_TURN = 50;

/** Applies the events in order, in memory. */
export const foldBatch = async (
  before: StoredBatch,
  events: readonly ProjectedEvent[],
  chunkSets: ChunkSets,
  digest: DigestText,
): Promise<FoldedBatch> => {
  const sources = new Map<string, SourceState>(before.sources);
  const hidden = new Map(before.hidden);
  await mapYielding(events, DOCUMENTS_PER_TURN, (projected) => {
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

/** Loads the stored rows of the sources and data sources of the events. */
export const loadBatch = async (
  trx: Sql,
  schema: string,
  events: readonly ProjectedEvent[],
): Promise<StoredBatch> => {
  const ids = events.filter(({ stream }) => stream.startsWith('source-')).map(({ streamId }) => streamId);
  const sources = await loadSources(trx, schema, [...new Set(ids)]);
  const dataSources = new Set(events.map(dataSourceOf).filter((id) => id !== null));
  for (const { row } of sources.values()) dataSources.add(row.dataSourceId);
  return { sources, hidden: await loadHidden(trx, schema, [...dataSources]) };
};

/** The data source in an event; null if the event names only its source. */
const dataSourceOf = ({ event, stream, streamId }: ProjectedEvent): string | null => {
  if (stream.startsWith('dataSource-')) return streamId;
  return hasDataSource(event) ? event.dataSourceId : null;
};

const hasDataSource = (event: DomainEvent): event is Extract<DomainEvent, { dataSourceId: string }> =>
  'dataSourceId' in event;

type StoredRow = Omit<SourceRow, 'revision'> &
  Pick<StoredSource, 'no' | 'contentMissing' | 'keywords'> & { readonly revision: number };

const loadSources = async (
  trx: Sql,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSource>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<StoredRow>`
    select s.no, s.id, s.tenant, s.data_source_id, s.source_type, s.locator, s.url, s.title, s.status, s.skip_reason,
      s.error, s.indexed, s.generation, s.last_seen_at, s.revision, s.keywords, s.content_missing,
      coalesce((select jsonb_agg(jsonb_build_object('key', m.key, 'val', m.val_text, 'type', m.type) order by m.ord)
        from ${sql.id(schema, 'source_metadata')} m where m.source_no = s.no), '[]') as metadata
    from ${sql.id(schema, 'source')} s where s.id = any(${ids}::uuid[])`.execute(trx);
  const contents = await loadContents(
    trx,
    schema,
    rows.map(({ no }) => no),
  );
  return new Map(
    rows.map(({ no, revision, contentMissing, keywords, ...row }) => [
      row.id,
      {
        no,
        row: { ...row, revision: BigInt(revision) },
        contents: contents.get(no) ?? [],
        contentMissing,
        keywords,
      },
    ]),
  );
};

const loadContents = async (
  trx: Sql,
  schema: string,
  sources: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredContent[]>> => {
  if (sources.length === 0) return new Map();
  const { rows } = await sql<Omit<StoredContent, 'chunk'> & { readonly sourceNo: number }>`
    select source_no, no, id, ord, page_number, lines, timestamp, label from ${sql.id(schema, 'content')}
    where source_no = any(${sources}::bigint[]) order by source_no, ord`.execute(trx);
  const contents = new Map<number, StoredContent[]>();
  for (const { sourceNo, ...row } of rows) {
    const ofSource = contents.get(sourceNo) ?? [];
    contents.set(sourceNo, ofSource);
    ofSource.push({ ...row, chunk: null });
  }
  return contents;
};

const loadHidden = async (
  trx: Sql,
  schema: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HiddenDataSource>> => {
  const { rows } = await sql<HiddenDataSource>`
    select data_source_id, tenant, deleted from ${sql.id(schema, 'hidden_data_source')}
    where data_source_id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map((row) => [row.dataSourceId, row]));
};
