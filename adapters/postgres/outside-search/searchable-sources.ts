import { sql } from 'kysely';
import type { SearchableContent, SearchableSource } from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';

/**
 * The named sources as the catalog has them now, in no order; those that it does not have are left out. Sources of a
 * hidden data source have no contents.
 */
export const searchableSources = async (
  db: Sql,
  ids: readonly string[],
): Promise<readonly SearchableSource[]> => {
  const { rows } = await sql<Stored>`
    select s.id, s.tenant, s.data_source_id, s.source_type, coalesce(s.file_type, '') as file_type, s.url, s.title,
      s.indexed ->> 'language' as language, s.revision,
      coalesce((select jsonb_agg(jsonb_build_object('key', m.key, 'val', m.val_text, 'type', m.type) order by m.ord)
        from read.source_metadata m where m.source_no = s.no), '[]') as metadata,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'timestamp', c.timestamp,
          'page_number', c.page_number, 'heading_path', c.heading_path, 'text', x.text, 'vectors', ${CODES},
          'metadata', coalesce((select jsonb_agg(jsonb_build_object('key', m.key, 'val', m.val_text, 'type', m.type) order by m.ord)
            from read.content_metadata m where m.content_no = c.no), '[]')) order by c.ord)
        from read.content c join read.content_text x on x.content_no = c.no where c.source_no = s.no
          and not exists (select from read.hidden_data_source h where h.data_source_id = s.data_source_id)), '[]') as contents
    from read.source s where s.id = any(${ids}::uuid[])`.execute(db);
  return rows.map(({ language, revision, contents, ...source }) => ({
    ...source,
    ...(language !== null && { language }),
    revision: BigInt(revision),
    contents: contents.map(({ vectors, ...content }) => ({
      ...content,
      ...(vectors.length > 0 && {
        vectors: new Map(vectors.map(({ model, code }) => [model, vectorOf(code)])),
      }),
    })),
  }));
};

interface Stored extends Omit<SearchableSource, 'language' | 'revision' | 'contents'> {
  readonly language: string | null;
  readonly revision: number;
  readonly contents: readonly (Omit<SearchableContent, 'vectors'> & {
    readonly vectors: readonly { readonly model: string; readonly code: string }[];
  })[];
}

/** Vectors of the content `c` of the source `s`, as a list. A model may refuse a text: that has no code. */
const CODES = sql`coalesce((select jsonb_agg(jsonb_build_object('model', m.name, 'code', encode(e.code, 'base64')))
  from vectors.model m join vectors.content v
      on v.tenant = s.tenant and v.model_no = m.no and v.content_id = c.id and v.label = c.label
    join vectors.embedding e on e.no = v.embedding_no where e.code is not null), '[]')`;

/** A vector of the same direction: its length means nothing. */
const vectorOf = (code: string): Float32Array =>
  Float32Array.from(new Int8Array(Buffer.from(code, 'base64')));
