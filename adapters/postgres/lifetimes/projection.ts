import { sql } from 'kysely';
import type { ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import {
  changesLifetimes,
  type LifetimeChange,
  lifetimeChange,
} from '../../../application/read-models/lifetimes.ts';
import { recordset } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import type { DecodedProjection } from '../projections/projection.ts';

/** A change with the tenant and the place of its event. */
type Placed = LifetimeChange & {
  readonly tenant: string;
  readonly position: string;
  readonly recordedAt: number;
};

/**
 * `lifetime`: one row for each life of a record, from one event to another, both by position and by time. A record may
 * end and begin again. `sort` orders the list: by id or name, and sources by their first appearance.
 */
const create = async (trx: Sql, schema: string): Promise<void> => {
  const table = sql.id(schema, 'lifetime');
  await sql`create table ${table} (
    tenant text collate "C" not null,
    list text collate "C" not null,
    id text collate "C" not null,
    owner text collate "C" not null,
    parent text collate "C" not null,
    sort text collate "C" not null,
    born text collate "C" not null,
    born_at bigint not null,
    ended text collate "C",
    ended_at bigint,
    primary key (tenant, list, id, born))`.execute(trx);
  await sql`create unique index on ${table} (tenant, list, id) where ended is null`.execute(trx);
  await sql`create index on ${table} (tenant, list, sort)`.execute(trx);
  await sql`create index on ${table} (id) where ended is null`.execute(trx);
  await sql`create index on ${table} (tenant, owner) where ended is null and owner <> ''`.execute(trx);
  await sql`create index on ${table} (tenant, parent) where ended is null and parent <> ''`.execute(trx);
};

const apply = async (trx: Sql, schema: string, events: readonly ProjectedEvent[]): Promise<void> => {
  const changes = events.flatMap((event): readonly Placed[] => {
    const change = lifetimeChange(event);
    const { position, recordedAt, metadata } = event;
    return change === null ? [] : [{ ...change, tenant: metadata.tenant, position, recordedAt }];
  });
  for (const run of runsOf(changes)) await write(trx, schema, run);
};

/** Consecutive changes of one kind, which one statement can write; no record twice, and each `endsAll` by itself. */
const runsOf = (changes: readonly Placed[]): readonly (readonly [Placed, ...Placed[]])[] => {
  const runs: [Placed, ...Placed[]][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    if (run === undefined || run[0].kind !== change.kind || change.kind === 'endsAll') runs.push([change]);
    else run.push(change);
  }
  return runs;
};

const write = async (trx: Sql, schema: string, run: readonly [Placed, ...Placed[]]): Promise<void> => {
  const table = sql.id(schema, 'lifetime');
  const [first] = run;
  const send = withCommit(trx);
  switch (first.kind) {
    case 'begins':
      // A life that is open conflicts, and so does one that this event has begun before.
      return send(sql`insert into ${table} (tenant, list, id, owner, parent, sort, born, born_at)
        select distinct on (r.tenant, r.list, r.id) r.tenant, r.list, r.id, r.owner, r.parent,
          case r.list when 'source' then coalesce(
            (select min(l.born) from ${table} l where l.tenant = r.tenant and l.list = r.list and l.id = r.id), r.position)
            else r.id end, r.position, r.recorded_at
        from ${recordset(run as readonly Extract<Placed, { kind: 'begins' }>[], 'r', BEGUN)}
        order by r.tenant, r.list, r.id, r.position on conflict do nothing`);
    case 'ends':
      return send(sql`update ${table} l set ended = r.position, ended_at = r.recorded_at
        from (select distinct on (e.tenant, e.id) e.* from ${recordset(run as readonly Extract<Placed, { kind: 'ends' }>[], 'e', ENDED)}
          order by e.tenant, e.id, e.position) r
        where l.id = r.id and l.tenant = r.tenant and l.ended is null and l.born < r.position`);
    case 'endsAll':
      return send(sql`update ${table} l set ended = ${first.position}, ended_at = ${first.recordedAt}
        where l.tenant = ${first.tenant} and l.ended is null and l.born < ${first.position}
          and (l.owner = ${first.of} and l.owner <> '' or l.parent = ${first.of} and l.parent <> '')
          and l.list = any(${first.lists}::text[])`);
  }
};

const ENDED = { tenant: 'text', id: 'text', position: 'text', recordedAt: 'bigint' } as const;
const BEGUN = { ...ENDED, list: 'text', owner: 'text', parent: 'text' } as const;

/** When the records of every list began and ended: see `Lifetimes`. */
export const lifetimeProjection: DecodedProjection = {
  view: 'lifetime',
  shape: 2,
  filter: {
    categories:
      'dataSource source apiKey tag redactionPolicy secret webhook authzPolicy authzSubject conversation agentThread'.split(
        ' ',
      ),
  },
  tables: ['lifetime'],
  // What begins and ends records means the same without the events between.
  whole: [],
  isRelevant: changesLifetimes,
  create,
  apply,
};
