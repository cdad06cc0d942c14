import { sql } from 'kysely';
import { isOurs } from '../../../application/event-sourcing/event-codec.ts';
import type { Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import { leafOf, type SaltOf } from '../../../domain/proof/leaf.ts';
import { hashesIn, leafHash, rootOf } from '../../../domain/proof/merkle.ts';
import { TILE_WIDTH } from '../../../domain/proof/tiles.ts';
import { sha256Bytes } from '../../system/proof.ts';
import { recordset } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { readSalts } from './salts.ts';
import { withCommit } from '../transaction.ts';
import type { StoredProjection } from '../projections/projection.ts';

/**
 * - `log_tree`: one row per tenant: how many leaves there are, and the position of the last one.
 * - `log_leaf`: leaves in rows of up to 256: those of a batch, or all of a full tile of level 0. `start` is the index of
 *   the first, `position` its place in the log; `places` has `[stream, revision, position]` of each.
 * - `log_tile`: the hashes of the tiles of each level above 0.
 */
const create = async (trx: Sql, schema: string): Promise<void> => {
  await sql`create table ${sql.id(schema, 'log_tree')} (
    tenant text collate "C" primary key, size bigint not null, position text collate "C" not null)`.execute(
    trx,
  );
  await sql`create table ${sql.id(schema, 'log_leaf')} (
    tenant text collate "C", start bigint, position text collate "C" not null, hashes bytea not null,
    places text not null, primary key (tenant, start))`.execute(trx);
  await sql`create index on ${sql.id(schema, 'log_leaf')} (tenant, position)`.execute(trx);
  await sql`create table ${sql.id(schema, 'log_tile')} (
    tenant text collate "C", level int, index bigint, hashes bytea not null,
    primary key (tenant, level, index))`.execute(trx);
};

/** A leaf as it is stored, with its hash. */
export type StoredPlace = readonly [stream: string, revision: number, position: Position];
interface Leaf {
  readonly hash: Uint8Array;
  readonly place: StoredPlace;
}

/** New leaves of a tenant, after the `size` that its tree has. */
interface Growth {
  readonly tenant: string;
  readonly size: number;
  readonly added: readonly Leaf[];
}
/** A tile of a level above 0 that is not full yet. */
interface OpenTile {
  readonly tenant: string;
  readonly level: number;
  readonly index: number;
  readonly hashes: Uint8Array[];
}
interface Rows {
  readonly leaves: { tenant: string; start: number; position: string; hashes: string; places: string }[];
  readonly tiles: { tenant: string; level: number; index: number; hashes: string }[];
}

const applyStored = async (trx: Sql, schema: string, events: readonly RecordedEvent[]): Promise<void> => {
  const batches = Map.groupBy(events.filter(isOurs), ({ metadata }) => metadata['tenant'] as string);
  if (batches.size === 0) return;
  const { rows: trees } = await sql<{ tenant: string; size: number; position: Position }>`
    select tenant, size, position from ${sql.id(schema, 'log_tree')}
    where tenant = any(${[...batches.keys()]}::text[])`.execute(trx);
  const known = new Map(trees.map((tree) => [tree.tenant, tree]));
  const saltOf = await readSalts(trx);
  const growths = [...batches].flatMap(([tenant, of]): readonly Growth[] => {
    const { size = 0, position = '' } = known.get(tenant) ?? {};
    const added = of.flatMap((event) => (event.position > position ? [leafIn(saltOf, event)] : []));
    return added.length === 0 ? [] : [{ tenant, size, added }];
  });
  const rows: Rows = { leaves: [], tiles: [] };
  // A tile that fills is one row, with the leaves that it had.
  const filling = growths.filter(({ size, added }) => (size % TILE_WIDTH) + added.length >= TILE_WIDTH);
  const [begun, open] = filling.length === 0 ? [[], []] : await readEdges(trx, schema, filling);
  for (const growth of growths) {
    if (filling.includes(growth)) fill(growth, begun, open, rows);
    else rows.leaves.push(leafRow(growth.tenant, growth.size, growth.added));
  }
  await write(trx, schema, growths, filling, rows);
};

const leafIn = (saltOf: SaltOf, event: RecordedEvent): Leaf => ({
  hash: leafHash(sha256Bytes, leafOf(sha256Bytes, saltOf, event)),
  place: [event.stream, Number(event.revision), event.position],
});

const leafRow = (tenant: string, start: number, leaves: readonly Leaf[]): Rows['leaves'][number] => ({
  tenant,
  start,
  position: leaves[0]!.place[2],
  hashes: inBase64(leaves.map(({ hash }) => hash)),
  places: JSON.stringify(leaves.map(({ place }) => place)),
});
const inBase64 = (hashes: readonly Uint8Array[]): string => Buffer.concat(hashes).toString('base64');

/** The first leaf of the tile that is not full. */
const openStart = (size: number): number => size - (size % TILE_WIDTH);

type BegunLeaf = Leaf & { readonly tenant: string };

/** The leaves of the tiles that fill, in order, and the open tiles above them. */
const readEdges = async (
  trx: Sql,
  schema: string,
  filling: readonly Growth[],
): Promise<readonly [readonly BegunLeaf[], OpenTile[]]> => {
  const starts = filling.map(({ tenant, size }) => ({ tenant, start: openStart(size) }));
  const leaves = sql<{ tenant: string; hashes: Buffer; places: string }>`
    select l.tenant, l.hashes, l.places from ${sql.id(schema, 'log_leaf')} l
    join ${recordset(starts, 'f', { tenant: 'text', start: 'bigint' })}
      on l.tenant = f.tenant and l.start >= f.start order by l.tenant, l.start`.execute(trx);
  const edges = filling.flatMap(({ tenant, size }) => edgesOf(tenant, size));
  const columns = { tenant: 'text', level: 'int', index: 'bigint' };
  const tiles = sql<{ tenant: string; level: number; index: number; hashes: Buffer }>`
    select t.tenant, t.level, t.index, t.hashes from ${sql.id(schema, 'log_tile')} t
    join ${recordset(edges, 'e', columns)} using (tenant, level, index)`.execute(trx);
  const begun = (await leaves).rows.flatMap(({ tenant, hashes, places }) => {
    const stored = JSON.parse(places) as readonly StoredPlace[];
    return hashesIn(hashes).map((hash, at) => ({ tenant, hash, place: stored[at]! }));
  });
  return [begun, (await tiles).rows.map((tile) => ({ ...tile, hashes: hashesIn(tile.hashes) }))];
};

/** The last tile of each level above 0, without full ones. */
const edgesOf = (tenant: string, size: number): readonly Omit<OpenTile, 'hashes'>[] => {
  const edges: Omit<OpenTile, 'hashes'>[] = [];
  for (let [level, hashes] = [1, Math.floor(size / TILE_WIDTH)]; hashes > 0; level += 1) {
    if (hashes % TILE_WIDTH > 0) edges.push({ tenant, level, index: Math.floor(hashes / TILE_WIDTH) });
    hashes = Math.floor(hashes / TILE_WIDTH);
  }
  return edges;
};

/** Adds leaves of which some fill a tile, and the roots of full tiles to the levels above. */
const fill = (
  { tenant, size, added }: Growth,
  begun: readonly BegunLeaf[],
  open: readonly OpenTile[],
  rows: Rows,
): void => {
  const leaves: readonly Leaf[] = [...begun.filter((leaf) => leaf.tenant === tenant), ...added];
  const tiles = new Map(open.filter((tile) => tile.tenant === tenant).map((tile) => [tile.level, tile]));
  const changed = new Set<OpenTile>();
  const raise = (level: number, at: number, hash: Uint8Array): void => {
    const index = Math.floor(at / TILE_WIDTH);
    const tile = tiles.get(level) ?? { tenant, level, index, hashes: [] };
    tiles.set(level, tile);
    tile.hashes.push(hash);
    changed.add(tile);
    if (tile.hashes.length < TILE_WIDTH) return;
    tiles.delete(level);
    raise(level + 1, index, rootOf(sha256Bytes, tile.hashes));
  };
  for (let at = 0; at < leaves.length; at += TILE_WIDTH) {
    const of = leaves.slice(at, at + TILE_WIDTH);
    const start = openStart(size) + at;
    rows.leaves.push(leafRow(tenant, start, of));
    if (of.length < TILE_WIDTH) continue;
    const root = rootOf(
      sha256Bytes,
      of.map(({ hash }) => hash),
    );
    raise(1, start / TILE_WIDTH, root);
  }
  for (const { hashes, ...tile } of changed) rows.tiles.push({ ...tile, hashes: inBase64(hashes) });
};

const write = async (
  trx: Sql,
  schema: string,
  growths: readonly Growth[],
  filling: readonly Growth[],
  { leaves, tiles }: Rows,
): Promise<void> => {
  const send = withCommit(trx);
  const starts = filling.map(({ tenant, size }) => ({ tenant, start: openStart(size) }));
  if (starts.length > 0)
    await send(sql`delete from ${sql.id(schema, 'log_leaf')} l
      using ${recordset(starts, 'f', { tenant: 'text', start: 'bigint' })}
      where l.tenant = f.tenant and l.start >= f.start`);
  const ofLeaf = { tenant: 'text', start: 'bigint', position: 'text', hashes: 'text', places: 'text' };
  await send(sql`insert into ${sql.id(schema, 'log_leaf')} (tenant, start, position, hashes, places)
    select tenant, start, position, decode(hashes, 'base64'), places from ${recordset(leaves, 'r', ofLeaf)}`);
  const ofTile = { tenant: 'text', level: 'int', index: 'bigint', hashes: 'text' };
  if (tiles.length > 0)
    await send(sql`insert into ${sql.id(schema, 'log_tile')} (tenant, level, index, hashes)
      select tenant, level, index, decode(hashes, 'base64') from ${recordset(tiles, 'r', ofTile)}
      on conflict (tenant, level, index) do update set hashes = excluded.hashes`);
  const trees = growths.map(({ tenant, size, added }) => ({
    tenant,
    size: size + added.length,
    position: added.at(-1)!.place[2],
  }));
  const ofTree = { tenant: 'text', size: 'bigint', position: 'text' };
  await send(sql`insert into ${sql.id(schema, 'log_tree')} (tenant, size, position)
    select tenant, size, position from ${recordset(trees, 'r', ofTree)}
    on conflict (tenant) do update set size = excluded.size, position = excluded.position`);
};

/** The Merkle tree over the events of each tenant, in the order of the log: see `LogTree`. */
export const logTreeProjection: StoredProjection = {
  view: 'log_tree',
  shape: 1,
  filter: {},
  tables: ['log_tree', 'log_leaf', 'log_tile'],
  create,
  applyStored,
};
