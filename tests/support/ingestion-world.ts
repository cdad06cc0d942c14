import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { extractFile } from '../../adapters/extraction/extract-file.ts';
import { createFileAreas } from '../../adapters/files/file-areas.ts';
import { textPatterns } from '../../adapters/patterns/text-patterns.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/purge-catalog.ts';
import { createRedactionPolicyView } from '../../adapters/postgres/views/redaction-policy-view.ts';
import { createRowMarks } from '../../adapters/postgres/withheld/row-marks.ts';
import { createWithheld } from '../../adapters/postgres/withheld/withheld.ts';
import { createDueSchedules } from '../../adapters/postgres/work/due-schedules.ts';
import type { Sql } from '../../adapters/postgres/sql.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import { parseChunkSet, serialiseChunkSet } from '../../application/content/chunk-set.ts';
import { createExecute } from '../../application/execute.ts';
import type { Connectors } from '../../application/ingestion/connector.ts';
import { createCreateDataSource } from '../../application/ingestion/create-data-source.ts';
import { createSecretUses } from '../../application/secret/uses.ts';
import { createIngest } from '../../application/ingestion/ingest.ts';
import { createJobHandler } from '../../application/ingestion/job-handler.ts';
import { loadDataSource } from '../../application/ingestion/job.ts';
import { createDataSourceOperations } from '../../application/ingestion/operations.ts';
import { createPurge } from '../../application/ingestion/purge.ts';
import type { Clock, Hash } from '../../application/ports/identity.ts';
import type { RecordedEvent } from '../../application/ports/event-store.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';
import { createPoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { dataSourceStream } from '../../application/streams.ts';
import type { StopReason } from '../../application/work/work-handler.ts';
import { dataSource, type SyncMode } from '../../domain/data-source/index.ts';
import type { Parameters } from '../../domain/ingestion-setting/index.ts';
import { callerOf } from './conversations.ts';
import { createSteps, dying, type Steps } from './dying.ts';
import { retryingExecute } from './retrying-execute.ts';
import { projectionsWith } from './views.ts';
import { openWorld, silent } from './world.ts';

/** What connectors of a test are made of; what they write to the database dies with its process, by `steps`. */
export interface ConnectorParts {
  readonly db: Sql;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly steps: Steps;
}

interface Attempt {
  /** The process dies before this step; 0 or absent: never. */
  readonly killAt?: number;
  readonly stillOurs?: () => void;
  /** Somebody asks before this step that the job be canceled. */
  readonly cancelAt?: number;
  /** Told before each step; `name`: of the method that is called. */
  readonly onStep?: (name: string) => void;
}

const LIMITS = { timeMs: 60_000, memoryBytes: 2 ** 40, fileBytes: 2 ** 30, textCharacters: 2 ** 30 };
const extractor: Pick<DocumentReader, 'extractBatch'> = {
  extractBatch: (requests) =>
    Promise.all(requests.map((request) => extractFile({ ...request, limits: LIMITS }))),
};

/** Data sources of one kind on a real database and real files: created, synced, interrupted, deleted as a test says. */
export const openIngestionWorld = async (connect: (parts: ConnectorParts) => Connectors) => {
  const directory = await mkdtemp(join(tmpdir(), 'knowledger-ingestion-'));
  const files = createFileAreas(directory);
  const projections = projectionsWith(async (id, name) => {
    const bytes = await (await files.area(id)).read(name);
    return bytes === null ? null : parseChunkSet(bytes.toString('utf8'));
  });
  const world = await openWorld(projections);
  for (const projection of projections) world.project(projection);
  const { db, store, codec, ids, gate, feed } = world;
  const time = { ahead: 0 };
  const clock: Clock = { now: () => Date.now() + time.ahead };
  const caller = callerOf('acme');
  const steps = createSteps();
  const connectors = connect({ db, clock, hash: sha256, steps });
  const dies = createExecute({ store: dying(store, steps, ['append']), codec, ids });
  const mortal = retryingExecute(dies, dies);
  const catalog = createPurgeCatalog(db);
  const redaction = createPoliciesInForce({
    view: createRedactionPolicyView(db),
    patterns: textPatterns,
    clock,
  });
  const ingest = createIngest({
    connectors,
    execute: mortal,
    files: dying(files, steps, ['area', 'sweep']),
    extractor: extractor as DocumentReader,
    writeChunkSet: serialiseChunkSet,
    catalog,
    gate,
    clock,
    hash: sha256,
    redaction,
  });
  const tracing = {
    inSpan: <T>(_: string, __: object, ___: object, run: (none: undefined) => Promise<T>) => run(undefined),
  };
  const handler = createJobHandler({
    execute: mortal,
    executeAtOnce: dies,
    clock,
    log: silent,
    owner: 'worker-1',
    tracing,
    isTransient: () => false,
    ingest,
  });
  const withheld = createWithheld(db);
  const uses = createSecretUses({ execute: world.execute, clock });
  const operations = createDataSourceOperations({
    execute: world.execute,
    view: null as never,
    withheld,
    connectors,
    uses,
    ids,
    clock,
  });
  const create = createCreateDataSource({
    execute: world.execute,
    ids,
    hash: sha256,
    clock,
    scheduling: null as never,
    marks: createRowMarks(db),
    connectors,
    uses,
  });
  const purge = createPurge({
    execute: world.execute,
    catalog,
    vectors: { forget: async () => {} },
    feed,
    gate,
    files,
    connectors,
    schedules: createDueSchedules(db),
    withheld,
    clock,
  });

  /** What events of the data source's documents there are, oldest first. */
  const facts = async (id: string): Promise<readonly RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    for await (const message of feed.follow('', { categories: ['source'] }, { signal: once.signal })) {
      if (message.kind === 'events') found.push(...message.events);
      if (message.kind === 'caughtUp') break;
    }
    return found.filter(({ data }) => data['data_source_id'] === id);
  };
  const once = new AbortController();
  const stateOf = async (id: string) => {
    const found = await loadDataSource(world.execute, id);
    if (found === null || found.state.status === 'none') throw new Error(`there is no data source ${id}`);
    return found.state;
  };

  return {
    connectors,
    steps,
    stateOf,
    facts,
    /** A data source whose first job waits. */
    create: async (parameters: Parameters): Promise<string> =>
      (await create(caller, { name: 'Test', metadata: [], parameters }, undefined)).record.row.id,
    sync: async (id: string, mode: SyncMode = 'incremental', units?: readonly string[]): Promise<void> => {
      await operations.sync(caller, (await stateOf(id)).subject.kind, id, mode, units);
    },
    /** One attempt of the job that waits. Resolves when it has been ended, rejects when the process was killed. */
    attempt: async (
      id: string,
      { killAt = 0, cancelAt = 0, stillOurs = () => {}, onStep = () => {} }: Attempt = {},
    ): Promise<void> => {
      const asked = new AbortController();
      const before = async (step: number, name: string): Promise<void> => {
        onStep(name);
        if (step !== cancelAt) return;
        await operations.cancel(caller, (await stateOf(id)).subject.kind, id);
        asked.abort('canceled' satisfies StopReason);
      };
      Object.assign(steps, { count: 0, killAt, dead: false, before });
      const lease = { kind: handler.kind, id, tenant: 'acme', token: 1n, attempt: 1, lasting: 0 };
      await handler
        .run({
          lease,
          shutdown: once.signal,
          isLost: () => false,
          watched: (_, work) => work(asked.signal, stillOurs),
        })
        .finally(() => Object.assign(steps, { killAt: 0, dead: false, before: async () => {} }));
    },
    /** What the sweep does about a worker that is lost: the job waits for its next attempt, whose time has come. */
    requeue: async (id: string): Promise<void> => {
      const { job, epoch } = await stateOf(id);
      const error = { title: 'Worker lost', message: 'it was killed' } as const;
      const command = {
        type: 'retry',
        reason: 'worker_lost',
        error,
        jobId: job.jobId,
        epoch,
        at: clock.now(),
      } as const;
      await world.execute(dataSource, dataSourceStream(id), command, caller.context);
      time.ahead += 3_600_000;
    },
    /** Whatever waits for a time has waited long enough. */
    later: (): void => {
      time.ahead += 3_600_000;
    },
    /** What the newest event of the data source says. */
    lastFact: async (id: string) => (await store.readStream(dataSourceStream(id))).at(-1)?.data,
    /** Deletes it as a caller does, and does the deletion. */
    remove: async (id: string): Promise<void> => {
      await operations.remove(caller, (await stateOf(id)).subject.kind, id);
      await purge({ dataSourceId: id, tenant: 'acme', context: caller.context }, once.signal);
    },
    /** Titles of the documents that the catalog holds, by locator; a document without a text has none. */
    documents: async (id: string): Promise<Readonly<Record<string, string | null>>> => {
      await gate.reached(['catalog'], await feed.head(), 30_000);
      const { rows } = await sql<{ locator: string; title: string; indexed: object | null }>`
        select locator, title, indexed from read.source
        where data_source_id = ${id} and status <> 'removed' order by locator`.execute(db);
      return Object.fromEntries(
        rows.map(({ locator, title, indexed }) => [locator, indexed === null ? null : title]),
      );
    },
    errors: async (id: string) => {
      const connector = connectors[(await stateOf(id)).subject.kind as keyof Connectors]!;
      return (await connector.errors(id, { limit: 100 })).rows;
    },
    close: async () => {
      once.abort();
      await world.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
export type IngestionWorld = Awaited<ReturnType<typeof openIngestionWorld>>;
