import { sql } from 'kysely';
import type { DomainEvent } from '../../../../application/event-sourcing/domain-event.ts';
import type { ProjectedEvent } from '../../../../application/event-sourcing/projected-event.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import type { Sql } from '../../database-schema.ts';
import type { HiddenDataSource, StoredBatch, StoredContent, StoredSource } from './batch.ts';

/** What the tables hold of the sources and data sources that the events are about. */
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

/** The data source that an event names; null for one that names its source only. */
export const dataSourceOf = ({ event, stream, streamId }: ProjectedEvent): string | null => {
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
