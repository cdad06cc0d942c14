import { sql } from 'kysely';
import type { JsonValue } from '../../../application/ports/event-store.ts';
import type { SnapshotStore } from '../../../application/ports/snapshot-store.ts';
import type { Sql } from '../sql.ts';

interface Row {
  readonly revision: string;
  readonly eventId: string;
  readonly tenant: string;
  readonly state: string;
}

/** Needs `snapshotMigrations`. */
export const createSnapshotStore = (db: Sql): SnapshotStore => ({
  read: async (stream, shape, version) => {
    const { rows } = await sql<Row>`
      select revision::text as revision, event_id, tenant, state from work.snapshot
      where stream = ${stream} and shape = ${shape} and version = ${version}`.execute(db);
    const [row] = rows;
    const state = row === undefined ? undefined : parsed(row.state);
    if (row === undefined || state === undefined) return null;
    const { revision, eventId, tenant } = row;
    return { stream, shape, version, revision: BigInt(revision), eventId, tenant, state };
  },
  write: async ({ stream, shape, version, revision, eventId, tenant, state }) => {
    await sql`
      insert into work.snapshot as s (stream, shape, version, revision, event_id, tenant, state)
      values (${stream}, ${shape}, ${version}, ${String(revision)}::bigint, ${eventId}, ${tenant},
        ${JSON.stringify(state)})
      on conflict (stream, shape) do update set version = excluded.version, revision = excluded.revision,
        event_id = excluded.event_id, tenant = excluded.tenant, state = excluded.state
        where (s.version, s.revision) < (excluded.version, excluded.revision)`.execute(db);
  },
  forget: async (stream, shape) => {
    await sql`delete from work.snapshot where stream = ${stream} and shape = ${shape}`.execute(db);
  },
});

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};
