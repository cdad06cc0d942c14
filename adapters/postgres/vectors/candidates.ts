import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { VectorRankRequest } from '../../../application/ports/search-engine.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import { contentCondition, seenContent } from '../catalog/conditions.ts';
import type { Sql } from '../database-schema.ts';

/** Row numbers of contents in the live version of the catalog. */
interface Candidates {
  readonly version: number;
  /** The contents to rank. */
  readonly ranked: Float64Array;
  /** The ranked contents that may be shown. */
  readonly shown: Float64Array;
}

/**
 * The contents that may be ranked, by the same conditions as in every other read. Numbers are packed, because
 * there may be many.
 */
export const candidatesOf = async (
  trx: Sql,
  scope: CatalogScope,
  { filter, usePostfilter }: VectorRankRequest,
): Promise<Candidates> => {
  const condition = contentCondition(scope, filter) ?? ALL;
  const [ranked, shown] = usePostfilter === true ? [ALL, condition] : [condition, ALL];
  const { rows } = await sql<{ version: number; ranked: Buffer; shown: Buffer | null }>`
    select
      (select version from projection_version where view = 'catalog' and live) as version,
      ${packedNumbers(sql`c.no`)} as ranked,
      ${usePostfilter === true ? packedNumbers(sql`c.no`, shown) : sql`null`} as shown
    from read.content c where ${seenContent(scope)} and ${ranked}`.execute(trx);
  const [found] = rows;
  const all = unpackedNumbers(found?.ranked ?? NONE);
  return {
    version: found?.version ?? 0,
    ranked: all,
    shown: usePostfilter === true ? unpackedNumbers(found?.shown ?? NONE) : all,
  };
};

const ALL: RawBuilder<boolean> = sql<boolean>`true`;
const NONE = Buffer.alloc(0);

export interface StoredVector {
  readonly no: number;
  readonly code: Buffer;
  readonly scale: number;
}

/** The existing vectors of these contents. */
export const vectorsOf = async (
  trx: Sql,
  modelNo: number,
  numbers: readonly number[],
): Promise<readonly StoredVector[]> => {
  const { rows } = await sql<StoredVector>`
    select c.no, e.code, e.scale
    from read.content c
      join vectors.content v on v.tenant = c.tenant and v.model_no = ${modelNo} and v.content_id = c.id
        and v.label = c.label
      join vectors.embedding e on e.no = v.embedding_no
    where c.no = any(${numbers}::bigint[]) and e.code is not null`.execute(trx);
  return rows;
};
