import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createFileAreas } from '../../adapters/storage/disk/file-areas.ts';
import { unpackChunkSet } from '../../adapters/storage/chunk-sets.ts';
import type { Connectors } from '../../application/sources/ingestion/connector.ts';
import { loadDataSource } from '../../application/sources/ingestion/job.ts';
import type { RecordedEvent } from '../../application/ports/event-store.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import type { StopReason } from '../../application/jobs/work-handler.ts';
import { dataSource, type SyncMode } from '../../domain/data-source/index.ts';
import type { Parameters } from '../../domain/ingestion-setting/index.ts';
import { type ConnectorParts, wireIngestion } from './ingestion-wiring.ts';
import { projectionsWith } from './views.ts';
import { openWorld } from './world.ts';

interface Attempt {
  /** The process dies before this step; 0 or absent: never. */
  readonly killAt?: number;
  readonly assertLeaseHeld?: () => void;
  /** Somebody asks before this step that the job be canceled. */
  readonly cancelAt?: number;
  /** Told before each step; `name`: of the method that is called. */
  readonly onStep?: (name: string) => void;
}

/** Data sources of one kind on a real database and real files: created, synced, interrupted, deleted as a test says. */
export const openIngestionWorld = async (connect: (parts: ConnectorParts) => Connectors) => {
  const directory = await mkdtemp(join(tmpdir(), 'knowledger-ingestion-'));
  const files = createFileAreas(directory);
  const projections = projectionsWith(async (id, name) => {
    const bytes = await (await files.area(id)).read(name);
    return bytes === null ? null : unpackChunkSet(bytes);
  });
  const world = await openWorld(projections);
  for (const projection of projections) world.project(projection);
  const { db, store, gate, feed } = world;
  const { connectors, steps, clock, time, caller, handler, operations, create, purge } = wireIngestion(
    world,
    files,
    connect,
  );
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
      { killAt = 0, cancelAt = 0, assertLeaseHeld = () => {}, onStep = () => {} }: Attempt = {},
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
          watched: (_, work) => work(asked.signal, assertLeaseHeld, async () => {}),
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
      const connector = connectors[(await stateOf(id)).subject.kind]!;
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
