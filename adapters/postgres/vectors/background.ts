import { sql } from 'kysely';
import type { Sql } from '../database-schema.ts';
import type { QuantisedVector } from './quantise.ts';

/** Texts that stand for all: the mean of so many cosines is off by a sixteenth of their deviation. */
const SAMPLE = 256;

interface BackgroundOf {
  readonly trx: Sql;
  readonly tenant: string;
  readonly model: number;
  readonly query: QuantisedVector;
}

/**
 * How near any text of a tenant is to a question: the mean of the cosines. Some models answer 0.1, others 0.7. Looked at
 * are the texts whose hashes come first, which is by lot and the same in every search, whatever its scope, its filter
 * and the way it is searched. Their mean is read at most once in `ms`. 0 where nothing is embedded.
 */
export const createBackground = (ms: number) => {
  const known = new Map<string, { readonly at: number; readonly mean: Float64Array }>();
  return async ({ trx, tenant, model, query }: BackgroundOf): Promise<number> => {
    const key = `${model} ${tenant}`;
    const now = performance.now();
    for (const [other, { at }] of known) if (now - at >= ms) known.delete(other);
    const mean = known.get(key)?.mean ?? (await meanOf(trx, tenant, model, query.code.length));
    if (!known.has(key)) known.set(key, { at: now, mean });
    return query.code.reduce((sum, value, i) => sum + value * (mean[i] ?? 0), 0) * query.scale;
  };
};

/** Of vectors of length 1. */
const meanOf = async (trx: Sql, tenant: string, model: number, dimensions: number): Promise<Float64Array> => {
  const { rows } = await sql<{ code: Buffer; scale: number }>`
    select code, scale from vectors.embedding
    where tenant = ${tenant} and model_no = ${model} and code is not null
    order by sha256 limit ${SAMPLE}`.execute(trx);
  const mean = new Float64Array(dimensions);
  for (const { code, scale } of rows)
    for (const [i, value] of new Int8Array(code).entries())
      mean[i] = (mean[i] ?? 0) + (value * scale) / rows.length;
  return mean;
};
