import type { Position } from '../../../application/ports/event-store.ts';
import type { Migration } from '../migrate.ts';
import type { Database, Sql } from '../database-schema.ts';
import { awaitOlderReaders, databaseTime, expose, retryWhileReadersBlock } from './exposure.ts';
import type { Projection } from './projection.ts';
import { sql } from 'kysely';

export interface Version {
  readonly view: string;
  readonly version: number;
  readonly shape: number;
  readonly live: boolean;
  readonly position: Position;
}

/**
 * Halted by `haltViewsAhead`: then the recorded position is the end of the log, which is before the
 * checkpoint.
 */
export const isAheadOfLog = ({
  position,
  haltedAtPosition,
}: Pick<Database['projectionVersion'], 'position' | 'haltedAtPosition'>): boolean =>
  haltedAtPosition !== null && haltedAtPosition < position;

/** Another projector moved the checkpoint, or the view was switched: restart from the live version. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

export const schemaOf = (view: string, version: number): string => `${view}_v${version}`;

export const liveVersion = async (db: Sql, view: string): Promise<Version | undefined> =>
  db
    .selectFrom('projectionVersion')
    .select(['view', 'version', 'shape', 'live', 'position'])
    .where('view', '=', view)
    .where('live', '=', true)
    .executeTakeFirst();

/**
 * Creates the tables of a new version next to the existing ones. `live` exposes it at once, for the first
 * version.
 */
export const createVersion = async (db: Sql, projection: Projection, live: boolean): Promise<Version> =>
  db.transaction().execute(async (trx) => {
    const { view, shape } = projection;
    await sql`select pg_advisory_xact_lock(hashtext(${`create ${view}`}))`.execute(trx);
    const existing = live ? await liveVersion(trx, view) : undefined;
    if (existing !== undefined) return existing;
    const { last } = await trx
      .selectFrom('projectionVersion')
      .select(({ fn }) => fn.coalesce(fn.max('version'), sql<number>`0`).as('last'))
      .where('view', '=', view)
      .executeTakeFirstOrThrow();
    const version = { view, version: last + 1, shape, live, position: '' };
    await trx
      .insertInto('projectionVersion')
      .values({ ...version, ...NOT_HALTED, movedAt: new Date() })
      .execute();
    const schema = schemaOf(view, version.version);
    await sql`create schema ${sql.id(schema)}`.execute(trx);
    // How far it has read each stream that it must read whole.
    await sql`create table ${sql.id(schema, 'stream_revision')} (
      stream text collate "C" primary key, revision bigint not null)`.execute(trx);
    await projection.create(trx, schema);
    if (live) await expose(trx, projection.tables, schema);
    return version;
  });

/**
 * Makes `next` the live version if it has read at least as far as the current one; returns false if it has
 * not. Readers see either version, never a mixture, and none of them fails: while they block the switch, it
 * is repeated.
 *
 * @throws when `signal` aborts
 */
export const switchOver = async (
  db: Sql,
  projection: Projection,
  next: Version,
  signal?: AbortSignal,
): Promise<boolean> => {
  const filled = await databaseTime(db);
  const replace = (trx: Sql) => replaceLive(trx, projection, next, filled);
  return retryWhileReadersBlock(() => db.transaction().execute(replace), signal);
};

/** `filled`: the time by which all rows of `next` were committed. */
const replaceLive = async (
  trx: Sql,
  projection: Projection,
  next: Version,
  filled: string,
): Promise<boolean> => {
  const rows = await trx
    .selectFrom('projectionVersion')
    .selectAll()
    .where('view', '=', projection.view)
    .orderBy('version')
    .forNoKeyUpdate()
    .execute();
  const live = rows.find((row) => row.live);
  const reached = rows.find((row) => row.version === next.version)?.position ?? '';
  // The position of a view that is ahead of the log does not count: no version would ever reach it.
  if (live !== undefined && !isAheadOfLog(live) && reached < live.position) return false;
  await awaitOlderReaders(trx, filled);
  const ofView = trx.updateTable('projectionVersion').where('view', '=', projection.view);
  await ofView.set({ live: false }).where('live', '=', true).execute();
  await ofView.set({ live: true }).where('version', '=', next.version).execute();
  await expose(trx, projection.tables, schemaOf(projection.view, next.version));
  return true;
};

/** Drops every version except the live one and `except`. */
export const dropRetired = async (
  db: Sql,
  { view, drop }: Pick<Projection, 'view' | 'drop'>,
  except: number,
): Promise<void> => {
  const retired = await db
    .selectFrom('projectionVersion')
    .select('version')
    .where('view', '=', view)
    .where('live', '=', false)
    .where('version', '!=', except)
    .execute();
  for (const { version } of retired) {
    await drop?.(schemaOf(view, version));
    await db.transaction().execute(async (trx) => {
      // Delete the row first: a process that works in the schema locks it, and would otherwise deadlock with
      // this one.
      await trx
        .deleteFrom('projectionVersion')
        .where('view', '=', view)
        .where('version', '=', version)
        .execute();
      await sql`drop schema if exists ${sql.id(schemaOf(view, version))} cascade`.execute(trx);
    });
  }
};

const NOT_HALTED = { haltedAtPosition: null, haltedBecause: null } as const;

/**
 * Moves the checkpoint from `from` to `to` by compare-and-set, and locks its row until the transaction ends.
 * A live version that was replaced cannot move any longer.
 *
 * @throws LostRace
 */
export const moveCheckpoint = async (
  trx: Sql,
  { view, version, live }: Version,
  from: Position,
  to: Position,
): Promise<void> => {
  const moved = await trx
    .updateTable('projectionVersion')
    .set({ position: to, movedAt: new Date(), ...NOT_HALTED })
    .where('view', '=', view)
    .where('version', '=', version)
    .where('live', '=', live)
    .where('position', '=', from)
    .returning('version')
    .executeTakeFirst();
  if (moved === undefined) throw new LostRace(`${view} version ${version} is no longer at ${from}`);
};

export const recordHalt = async (
  db: Sql,
  { view, version }: Version,
  position: Position,
  because: string,
): Promise<void> => {
  await db
    .updateTable('projectionVersion')
    .set({ haltedAtPosition: position, haltedBecause: because })
    .where('view', '=', view)
    .where('version', '=', version)
    .execute();
};

/**
 * One row per version of a view: whether it is live, its position, and why it is halted. The position moves
 * by compare-and-set in the transaction that writes the rows.
 */
export const projectionMigrations: readonly Migration[] = [
  {
    id: 'projection-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS read');
      await execute(`
        CREATE TABLE projection_version (
          view text NOT NULL,
          version integer NOT NULL,
          shape integer NOT NULL,
          live boolean NOT NULL,
          position text COLLATE "C" NOT NULL,
          moved_at timestamptz NOT NULL DEFAULT now(),
          halted_at_position text,
          halted_because text,
          PRIMARY KEY (view, version)
        )`);
      await execute('CREATE UNIQUE INDEX projection_live ON projection_version (view) WHERE live');
    },
  },
  {
    id: 'projection-0002',
    up: (execute) =>
      execute(`
        CREATE TABLE projection_passed_stream (
          view text NOT NULL,
          version integer NOT NULL,
          stream text COLLATE "C" NOT NULL,
          example text COLLATE "C" NOT NULL,
          because text NOT NULL,
          events bigint NOT NULL,
          PRIMARY KEY (view, version, stream),
          FOREIGN KEY (view, version) REFERENCES projection_version ON DELETE CASCADE
        )`),
  },
];
