import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createFileAreas } from '../../adapters/storage/disk/file-areas.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay, createTombstones } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { jobWork, purgeWork } from '../../adapters/postgres/work/data-source-work.ts';
import { createItemStore } from '../../adapters/postgres/work/item-store.ts';
import { createUploadLeases } from '../../adapters/postgres/work/leases.ts';
import { createUnsweptFiles } from '../../adapters/postgres/work/unswept-files.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import { createPushConnector } from '../../application/sources/push-connector/connector.ts';
import { packChunkSet, unpackChunkSet } from '../../adapters/storage/chunk-sets.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { type BackOffPolicy, withoutPauses } from '../../application/event-sourcing/back-off.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createDataSourceOperations } from '../../application/sources/ingestion/operations.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { eraseRemoved } from '../../application/sources/documents/erase-removed.ts';
import { createLockPush } from '../../application/sources/pushes/lock-push.ts';
import { createPushJobs } from '../../application/sources/pushes/jobs.ts';
import { createPutDocument } from '../../application/sources/pushes/put-document.ts';
import { createRemoveDocument } from '../../application/sources/pushes/remove-document.ts';
import { runUploadSweeps } from '../../application/sources/uploads/sweep-uploads.ts';
import { sweepAbandoned } from '../../application/jobs/load-work.ts';
import { callerOf } from './conversations.ts';
import { createSteps, dying } from './dying.ts';
import { plainReader } from './plain-reader.ts';
import { projectionsWith } from './views.ts';
import { openWorld, silent } from './world.ts';

const caller = callerOf('acme');

async function* partsOf(text: string, mediaType: string) {
  yield { kind: 'file', fileName: '', mediaType, body: [Buffer.from(text)] as never } as const;
}

/** Pushes on a real database and real files, fed by any number of processes, at a time that the test sets. */
export const openPushWorld = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'knowledger-pushes-'));
  const files = createFileAreas(directory);
  const projections = projectionsWith(async (id, name) => {
    const bytes = await (await files.area(id)).read(name);
    return bytes === null ? null : unpackChunkSet(bytes);
  });
  const world = await openWorld(projections);
  for (const projection of projections) world.project(projection);
  const { db, store, codec, ids, gate, feed } = world;
  const time = { now: Date.now() };
  const clock = { now: () => time.now };

  /** One process: what it keeps in memory is its own. It dies by `steps`, and waits for others as long as it likes. */
  const startProcess = (owner: string, backOff: BackOffPolicy = withoutPauses) => {
    const steps = createSteps();
    const execute = createExecute({ store: dying(store, steps, ['append']), codec, ids });
    const itemStore = dying(createItemStore(world), steps, ['commit', 'recordHeartbeat']);
    const leases = createWorkLeases(db, clock, [jobWork, purgeWork]);
    const mortalFiles = dying(files, steps, ['move', 'remove']);
    const tombstones = dying(createTombstones(db), steps, ['putSource']);
    const connectors = { push: createPushConnector(itemStore) };
    const view = createDataSourceView(db);
    const secretAttachments = null as never;
    const lockPush = createLockPush({
      execute,
      leases: dying(leases, steps, []),
      owner,
      clock,
      backOff,
    });
    const reports = { execute, itemStore, clock, lockPush, hash: sha256, ids, feed, gate };
    const uploads = createUploadLeases(db);
    const every = () => ({ stop: () => {} });
    const put = createPutDocument({
      ...reports,
      files: mortalFiles,
      uploads,
      unswept: createUnsweptFiles(db),
      every,
      log: silent,
      extractor: plainReader,
      writeChunkSet: packChunkSet,
      redaction: { at: async () => ({ rules: [], compiled: null as never }), clearCache: () => {} },
      urlOf: (id) => `/raw/${id}`,
    });
    const jobs = createPushJobs({ ...reports, view });
    const remove = createRemoveDocument({ ...reports, tombstones });
    const overlay = createRowOverlay(db);
    const creating = {
      execute,
      ids,
      hash: sha256,
      clock,
      scheduling: null as never,
      overlay,
      connectors,
      secretAttachments,
    };
    const create = createCreateDataSource(creating);
    const operations = createDataSourceOperations({
      execute,
      view,
      tombstones,
      connectors,
      secretAttachments,
      ids,
      clock,
    });
    const unused = {
      execute: null as never,
      tracing: null as never,
      sleep: null as never,
      ingest: null as never,
      ids,
      lostJobs: { failed: async () => [] },
    };
    const handler = createJobHandler({
      ...unused,
      executeAtOnce: execute,
      clock,
      log: silent,
      owner,
      isTransient: () => false,
      itemStore,
    });
    return {
      steps,
      create: async () =>
        (await create(caller, { name: 'Feed', metadata: [], parameters: { kind: 'push' } }, undefined)).record
          .row,
      put: (id: string, locator: string, title: string) =>
        put(caller, id, locator, partsOf(`# ${title}\n\nwords of ${locator}`, 'text/markdown'), {}),
      remove: (id: string, locator: string) => remove(caller, id, locator),
      open: async (id: string) => (await jobs.open(caller, id, undefined)).record.row,
      complete: async (id: string, job: string) => (await jobs.complete(caller, id, job)).record.row,
      fail: async (id: string, job: string) =>
        (await jobs.fail(caller, id, job, { title: 'Closed', message: 'no answer' })).record.row,
      cancel: (id: string) => operations.cancel(caller, 'push', id),
      /** What every worker does about jobs that nobody does any more. */
      sweep: async () => {
        await gate.reached(['data_source'], await feed.head(), 30_000);
        await sweepAbandoned({ leases, handlers: [handler], log: silent });
      },
    };
  };

  return {
    time,
    db,
    startProcess,
    events: async (id: string): Promise<readonly string[]> =>
      (await store.readStream(dataSourceStream(id))).map(({ type }) => type),
    /** Titles of all documents that the catalog has, by their locators. */
    documents: async (id: string) => {
      await gate.reached(['catalog'], await feed.head(), 30_000);
      const { rows } = await sql<{ locator: string; title: string }>`
        select locator, title from read.source
        where data_source_id = ${id} and status <> 'removed' order by locator`.execute(db);
      return Object.fromEntries(rows.map(({ locator, title }) => [locator, title]));
    },
    files: async (id: string): Promise<number> => {
      const { rows } = await sql<{
        held: number;
      }>`select count(*)::int as held from work.upload_under_way`.execute(db);
      if (rows[0]!.held > 0) throw new Error('an upload is under way');
      const area = await files.area(id);
      const named = await createPurgeCatalog(db).filesOf(id);
      const there = await Promise.all([...named].map((sha) => area.has(sha)));
      if (there.includes(false)) throw new Error('a file is missing');
      return named.size;
    },
    /** What processes that died have left is found after a while. */
    afterDeaths: async () => {
      await sql`update work.work_lease set until = now()`.execute(db);
      await sql`update work.upload_under_way set until = now()`.execute(db);
      const once = new AbortController();
      const execute = createExecute({ store, codec, ids });
      const uploads = createUploadLeases(db);
      const idle = async () => once.abort();
      const deps = { execute, files, uploads, clock, log: silent, owner: 'sweeper', idle };
      await runUploadSweeps(deps, once.signal);
    },
    /** What a worker deletes after a minute; answers how many files the push has then. */
    filesAfterSweep: async (id: string): Promise<number> => {
      await sql`update work.unswept_files set due_at = now()`.execute(db);
      const once = new AbortController();
      await eraseRemoved(
        {
          tombstones: createTombstones(db),
          unswept: createUnsweptFiles(db),
          leases: createWorkLeases(db, clock, [jobWork]),
          catalog: createPurgeCatalog(db),
          connectors: { push: createPushConnector(createItemStore(world)) },
          files,
          gate,
          feed,
          clock: { now: Date.now },
          log: silent,
          owner: 'sweeper',
          leaseMs: 60_000,
          sleep: async () => once.abort(),
        },
        once.signal,
      );
      return (await readdir(join(directory, id), { recursive: true })).filter((path) =>
        /[0-9a-f]{64}$/.test(path),
      ).length;
    },
    directory,
    close: async () => {
      await world.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
export type PushWorld = Awaited<ReturnType<typeof openPushWorld>>;
