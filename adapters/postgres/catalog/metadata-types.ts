import { type RawBuilder, sql } from 'kysely';
import type { Catalog, CatalogScope } from '../../../application/ports/catalog.ts';
import type { MetadataValueType } from '../../../domain/source/events.ts';
import type { Sql } from '../database-schema.ts';
import { seenContent, seenSource } from './content-condition.ts';
import { INDEXED_LENGTH } from './metadata-expression.ts';

const TYPES: readonly MetadataValueType[] = ['string', 'integer', 'float', 'date', 'datetime'];

/**
 * One look-up in the index per key and type. A scope restricted to data sources is told nothing of keys that only others
 * declare; for one that is not, rows of the tenant are enough and nothing is joined to them.
 */
export const metadataTypes =
  (db: Sql): Catalog['metadataTypes'] =>
  async (scope, of, keys) => {
    if (keys.length === 0) return new Map();
    const table = of === 'source' ? sql`read.source_metadata` : sql`read.content_metadata`;
    const { rows } = await sql<{ key: string; types: readonly MetadataValueType[] }>`
      select k.key, array_agg(t.type) as types
      from unnest(${keys.filter((key) => !key.includes('\0'))}::text[]) as k(key)
        cross join unnest(${TYPES}::text[]) as t(type)
      where exists (select from ${table} m where m.tenant = ${scope.tenant} and ${seen(scope, of)} and m.type = t.type and m.key = k.key
        and left(m.key, ${sql.lit(INDEXED_LENGTH)}) = left(k.key, ${sql.lit(INDEXED_LENGTH)}))
      group by k.key`.execute(db);
    return new Map(rows.map(({ key, types }) => [key, types]));
  };

const seen = (scope: CatalogScope, of: 'source' | 'chunk'): RawBuilder<boolean> => {
  if (scope.only === null && scope.access === null) return sql<boolean>`true`;
  return of === 'source'
    ? sql<boolean>`exists (select from read.source s where s.no = m.source_no and ${seenSource(scope)})`
    : sql<boolean>`exists (select from read.content c where c.no = m.content_no and ${seenContent(scope)})`;
};
