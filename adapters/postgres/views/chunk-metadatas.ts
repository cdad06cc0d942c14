import { sql } from 'kysely';
import type { DataSourceView, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { Sql } from '../database-schema.ts';

/** See `DataSourceView.withChunkMetadatas`. A group that declares no keys costs no question. */
export const withChunkMetadatas = async (
  db: Sql,
  found: readonly NamedDataSource[],
): ReturnType<DataSourceView['withChunkMetadatas']> => {
  const declared = found.flatMap(({ row: { id, subject } }) =>
    subject.kind === 'local_file_group'
      ? (subject.chunkMetadataKeys ?? []).map(({ key }) => ({ id, key }))
      : [],
  );
  if (declared.length === 0) return found;
  const { rows } = await sql<{ id: string; n: number }>`
    select c.data_source_id as id, count(distinct c.no) as n
    from jsonb_to_recordset(${JSON.stringify(declared)}::jsonb) as k(id uuid, key text)
    join read.content c on c.data_source_id = k.id
    join read.content_metadata m on m.content_no = c.no and m.key = k.key
    group by c.data_source_id`.execute(db);
  const counts = new Map(rows.map(({ id, n }) => [id, n]));
  return found.map((one) => ({ ...one, chunkMetadatas: counts.get(one.row.id) ?? 0 }));
};
