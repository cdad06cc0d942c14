import { sql } from 'kysely';
import { agentRunProjection } from '../../../../adapters/postgres/projections/agent-views.ts';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import {
  createDeletions,
  createDueSchedules,
  jobWork,
  purgeWork,
} from '../../../../adapters/postgres/work/data-source-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { type JobClaim, reasonFor } from '../../../../application/sources/ingestion/abandoned-job.ts';
import { dataSourceStream, ingestionSettingStream } from '../../../../application/event-sourcing/streams.ts';
import { type DataSourceCommand, dataSource } from '../../../../domain/data-source/index.ts';
import { type CrawlParameters, ingestionSetting } from '../../../../domain/ingestion-setting/index.ts';
import { openWorld } from '../../../support/world.ts';

export const NOW = 1_000_000;
const CONTEXT = {
  tenant: 'acme',
  actor: { kind: 'system', id: 't' },
  correlationId: 'c',
  causationId: 'c',
} as const;

/** Work leases over real views, on a clock that the test sets. */
export const openLeases = async () => {
  const time = { now: NOW };
  const world = await openWorld([dataSourceProjection, ingestionSettingProjection, agentRunProjection]);
  world.project(dataSourceProjection);
  world.project(ingestionSettingProjection);
  const leases = createWorkLeases(world.db, { now: () => time.now }, [jobWork, purgeWork]);
  const run = async (id: string, command: DataSourceCommand, tenant = 'acme') => {
    const done = await world.execute(dataSource, dataSourceStream(id), command, { ...CONTEXT, tenant });
    await world.gate.reached(['data_source'], done.position, 10_000);
    return done.state;
  };
  const queue = async (tenant = 'acme') => {
    const id = world.ids.newId();
    const registration = {
      subject: { kind: 'crawl', startUrl: 'https://example.com/' },
      ingestionSettingId: world.ids.newId(),
      metadata: [],
      ready: true,
    } as const;
    const jobId = world.ids.newId();
    await run(
      id,
      { type: 'enqueue', registration, jobId, trigger: 'create', mode: 'full', at: NOW - 10 },
      tenant,
    );
    return { id, jobId };
  };
  /** The id of a setting of this data source, whose schedule has a plan. */
  const planned = async (dataSourceId: string): Promise<string> => {
    const id = world.ids.newId();
    const parameters = { kind: 'crawl', startUrl: 'https://example.com/' } as CrawlParameters;
    const command = {
      type: 'create',
      dataSourceId,
      name: 'x',
      parameters,
      schedule: null,
      at: NOW,
    } as const;
    const done = await world.execute(ingestionSetting, ingestionSettingStream(id), command, CONTEXT);
    await world.gate.reached(['ingestion_setting'], done.position, 10_000);
    await createDueSchedules(world.db).plan(id, 0n, NOW);
    return id;
  };
  /** How many rows there are of these. */
  const left = async (dataSourceId: string, setting: string): Promise<object> => {
    const { rows } = await sql<object>`select
      (select count(*)::int from work.work_lease where id = ${dataSourceId}) as leases,
      (select count(*)::int from work.schedule_tick where ingestion_setting_id = ${setting}) as ticks`.execute(
      world.db,
    );
    return rows[0] ?? {};
  };
  /** As if so much time had gone by, for the database, since the last lease was put off. */
  const age = (ms: number) =>
    sql`update work.work_lease set not_before = not_before - ${ms} * interval '1 millisecond'`.execute(
      world.db,
    );
  const expire = () => sql`update work.work_lease set until = now()`.execute(world.db);
  /** Jobs that are abandoned, each with the reason that its handler sees in it. */
  const abandoned = async (limit: number): Promise<readonly object[]> =>
    (await leases.abandoned(limit)).map((found) => ({
      ...found,
      ...(found.claim as JobClaim),
      reason: reasonFor(found),
    }));
  const deletions = createDeletions(world.db);
  return { world, leases, deletions, abandoned, time, run, queue, planned, left, age, expire };
};
export type LeasesWorld = Awaited<ReturnType<typeof openLeases>>;
