import { sql } from 'kysely';
import type { Catalog } from '../../../application/ports/catalog.ts';
import type { MetadataValueType } from '../../../domain/source/events.ts';
import type { Sql } from '../projections/projection.ts';
import { INDEXED_LENGTH } from '../search/metadata-expression.ts';

const TYPES: readonly MetadataValueType[] = ['string', 'integer', 'float', 'date', 'datetime'];

/** One look-up in the index per key and type. */
export const metadataTypes =
  (db: Sql): Catalog['metadataTypes'] =>
  async ({ tenant }, of, keys) => {
    if (keys.length === 0) return new Map();
    const table = of === 'source' ? sql`read.source_metadata` : sql`read.content_metadata`;
    const { rows } = await sql<{ key: string; types: readonly MetadataValueType[] }>`
      select k.key, array_agg(t.type) as types
      from unnest(${keys.filter((key) => !key.includes('\0'))}::text[]) as k(key)
        cross join unnest(${TYPES}::text[]) as t(type)
      where exists (select from ${table} m where m.tenant = ${tenant} and m.type = t.type and m.key = k.key
        and left(m.key, ${sql.lit(INDEXED_LENGTH)}) = left(k.key, ${sql.lit(INDEXED_LENGTH)}))
      group by k.key`.execute(db);
    return new Map(rows.map(({ key, types }) => [key, types]));
  };
