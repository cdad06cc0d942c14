import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../adapters/postgres/projections/views.ts';
import { createDueSchedules } from '../../adapters/postgres/work/data-source-work.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { createRecurrence } from '../../adapters/recurrence/recurrence.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import type { Caller } from '../../application/access/caller.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import { createSecretAttachments } from '../../application/access/secrets/attachments.ts';
import { createIngestionSettingOperations } from '../../application/sources/ingestion/setting-operations.ts';
import { createScheduling } from '../../application/sources/schedules/scheduling.ts';
import { type SchedulerDeps, tickDue } from '../../application/sources/schedules/scheduler.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { type DataSourceCommand, dataSource, type DataSourceEvent } from '../../domain/data-source/index.ts';
import { SCOPES } from '../../domain/api-key/decider.ts';
import { crawlParameters } from './crawl-parameters.ts';
import { uncheckedCrawls } from './unchecked-crawls.ts';
import { openWorld, silent } from './world.ts';

const TENANT = '00000000-0000-8000-8000-000000000001';
const context = {
  tenant: TENANT,
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
} as const;
const caller: Caller = {
  id: 'k',
  tenant: TENANT,
  grant: { scopes: [...SCOPES], sourceGroupIds: null },
  context,
};

/** Crawls with schedules over a real Postgres, at a time that the test sets. Nobody works on the jobs. */
export const openSchedules = async (start: number) => {
  const world = await openWorld([dataSourceProjection, ingestionSettingProjection]);
  world.project(dataSourceProjection);
  world.project(ingestionSettingProjection);
  const { store, codec, ids, execute, db, gate } = world;
  const recurrence = createRecurrence({ deadlineMs: 60_000 });
  const time = { now: start };
  const clock = { now: () => time.now };
  const scheduling = createScheduling(recurrence);
  const deps: SchedulerDeps = {
    schedules: createDueSchedules(db),
    scheduling,
    store,
    execute,
    clock,
    ids,
    log: silent,
    idle: async () => {},
  };
  const secretAttachments = createSecretAttachments({ execute, clock });
  const create = createCreateDataSource({
    execute,
    ids,
    hash: sha256,
    clock,
    scheduling,
    overlay: createRowOverlay(db),
    connectors: uncheckedCrawls,
    secretAttachments,
  });
  const settings = createIngestionSettingOperations({
    execute,
    view: createDataSourceView(db),
    connectors: uncheckedCrawls,
    secretAttachments,
    scheduling,
    clock,
  });

  const events = async (id: string): Promise<readonly DataSourceEvent[]> => {
    const recorded = await store.readStream(dataSourceStream(id));
    return recorded.map((event) => codec.decode(event) as DataSourceEvent);
  };
  const run = async (id: string, command: DataSourceCommand): Promise<void> => {
    await execute(dataSource, dataSourceStream(id), command, context);
  };
  /** Waits until the views hold all that is stored. */
  const settled = async (): Promise<void> => {
    const { position } = await world.feed.read('', {}, 1_000);
    if (!(await gate.reached(['data_source', 'ingestion_setting'], position, 20_000)))
      throw new Error('the views lag');
  };

  return {
    deps,
    time,
    events,
    run,
    settled,
    scheduled: async (rrule: string) => {
      const request = { name: 'x', rrule, metadata: [], parameters: crawlParameters() };
      const { record } = await create(caller, request, undefined);
      return { id: record.row.id, setting: record.row.ingestionSettingId };
    },
    change: (setting: string, change: { name?: string; rrule?: string | null }) =>
      settings.change(caller, 'crawl', setting, change),
    /** Ends the job that waits. */
    finish: async (id: string): Promise<void> => {
      const queued = (await events(id)).findLast(({ type }) => type === 'JobQueued') as { jobId: string };
      const error = { title: 'x', message: 'x' };
      await run(id, { type: 'fail', jobId: queued.jobId, epoch: 0, code: 'x', error, at: time.now });
    },
    /** Looks once, at this time; answers how many jobs the data source has got since, and how many ticks it skipped. */
    tick: async (id: string, at: number): Promise<{ readonly queued: number; readonly skipped: number }> => {
      await settled();
      time.now = at;
      const before = (await events(id)).length;
      await tickDue(deps);
      const fresh = (await events(id)).slice(before);
      const count = (type: DataSourceEvent['type']): number =>
        fresh.filter((event) => event.type === type).length;
      return { queued: count('JobQueued'), skipped: count('ScheduleTickSkipped') };
    },
    close: async () => {
      await recurrence.close();
      await world.close();
    },
  };
};
export type Schedules = Awaited<ReturnType<typeof openSchedules>>;
