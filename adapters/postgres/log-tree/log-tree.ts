import { sql } from 'kysely';
import type { LogTree } from '../../../application/ports/log-tree.ts';
import { HASH_BYTES } from '../../../domain/proof/merkle.ts';
import { TILE_WIDTH } from '../../../domain/proof/tiles.ts';
import type { Sql } from '../database-schema.ts';
import type { StoredPlace } from './projection.ts';
import { readSalts } from './salts.ts';

/** Needs the view `log_tree`, and `proofMigrations`. */
export const createLogTree = (db: Sql): LogTree => ({
  size: async (tenant) => {
    const { rows } = await sql<{ size: number }>`
      select size from read.log_tree where tenant = ${tenant}`.execute(db);
    return rows[0]?.size ?? 0;
  },
  tenants: async () => {
    const { rows } = await sql<{ tenant: string }>`select tenant from read.log_tree`.execute(db);
    return rows.map(({ tenant }) => tenant);
  },
  grownSince: async (signedBefore) => {
    const { rows } = await sql<{ tenant: string }>`select t.tenant from read.log_tree t
      left join lateral (select size, signed_at from proof.checkpoint c
        where c.tenant = t.tenant order by size desc limit 1) latest on true
      where latest.size is null or (latest.size < t.size and latest.signed_at <= ${signedBefore})`.execute(
      db,
    );
    return rows.map(({ tenant }) => tenant);
  },
  hashes: async (tenant, level, index) => {
    const start = index * TILE_WIDTH;
    const found =
      level === 0
        ? sql<{ hashes: Buffer }>`select hashes from read.log_leaf
            where tenant = ${tenant} and start >= ${start} and start < ${start + TILE_WIDTH} order by start`
        : sql<{ hashes: Buffer }>`select hashes from read.log_tile
            where tenant = ${tenant} and level = ${level} and index = ${index}`;
    const { rows } = await found.execute(db);
    const bytes = Buffer.concat(rows.map(({ hashes }) => hashes));
    return bytes.subarray(0, TILE_WIDTH * HASH_BYTES);
  },
  places: async (tenant, index) => {
    const start = index * TILE_WIDTH;
    const { rows } = await sql<{ places: string }>`select places from read.log_leaf
      where tenant = ${tenant} and start >= ${start} and start < ${start + TILE_WIDTH} order by start`.execute(
      db,
    );
    return rows.flatMap(({ places }) =>
      (JSON.parse(places) as readonly StoredPlace[]).map(([stream, revision, position]) => ({
        stream,
        revision: BigInt(revision),
        position,
      })),
    );
  },
  indexOf: async (tenant, position) => {
    const { rows } = await sql<{ start: number; places: string }>`select start, places from read.log_leaf
      where tenant = ${tenant} and position <= ${position} order by position desc limit 1`.execute(db);
    const [row] = rows;
    if (row === undefined) return null;
    const at = (JSON.parse(row.places) as readonly StoredPlace[]).findIndex((place) => place[2] === position);
    return at < 0 ? null : row.start + at;
  },
  salts: () => readSalts(db),
});
