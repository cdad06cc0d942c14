import { once } from 'node:events';
import { textPatterns } from '../../adapters/system/patterns/text-patterns.ts';
import { createPurgeCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createRedactionPolicyView } from '../../adapters/postgres/views/redaction-policy-view.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay, createTombstones } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { createUnsweptFiles } from '../../adapters/postgres/work/unswept-files.ts';
import { createDueSchedules } from '../../adapters/postgres/work/data-source-work.ts';
import type { PostgresDatabase } from '../../adapters/postgres/connection.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import { packChunkSet } from '../../adapters/storage/chunk-sets.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import type { Connectors } from '../../application/sources/ingestion/connector.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import { createIngest } from '../../application/sources/ingestion/ingest.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createSecretAttachments } from '../../application/access/secrets/attachments.ts';
import { createDataSourceOperations } from '../../application/sources/ingestion/operations.ts';
import { createPurge } from '../../application/sources/ingestion/purge-handler.ts';
import type { Clock, Hash } from '../../application/ports/identity.ts';
import { createPoliciesInForce } from '../../application/redaction/policies-in-force.ts';
import { callerOf } from './conversations.ts';
import { createSteps, dying, type Steps } from './dying.ts';
import { plainReader } from './plain-reader.ts';
import { retryingExecute } from './retrying-execute.ts';
import { silent } from './silent.ts';
import type { FileAreas } from '../../application/ports/file-store.ts';
import type { World } from './world.ts';

/** What connectors of a test are made of; what they write to the database dies with its process, by `steps`. */
export interface ConnectorParts {
  readonly database: Pick<PostgresDatabase, 'db' | 'transact'>;
  readonly files: FileAreas;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly steps: Steps;
}

/** What takes part in the life of a data source, wired as the composition does it, but with a worker that dies by `steps`. */
export const wireIngestion = (
  { db, transact, store, codec, ids, gate, feed, execute }: World,
  files: FileAreas,
  connect: (parts: ConnectorParts) => Connectors,
) => {
  const time = { ahead: 0 };
  const clock: Clock = { now: () => Date.now() + time.ahead };
  const caller = callerOf('acme');
  const steps = createSteps();
  const connectors = connect({ database: { db, transact }, files, clock, hash: sha256, steps });
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
    extractor: plainReader,
    writeChunkSet: packChunkSet,
    unswept: createUnsweptFiles(db),
    gate,
    clock,
    hash: sha256,
    redaction,
    log: silent,
  });
  const tracing = {
    inSpan: <T>(_: string, __: object, ___: object, run: (none: undefined) => Promise<T>) => run(undefined),
  };
  const handler = createJobHandler({
    execute: mortal,
    executeAtOnce: dies,
    clock,
    sleep: async (_, signal) => void (await once(signal, 'abort')),
    log: silent,
    owner: 'worker-1',
    tracing,
    isTransient: () => false,
    itemStore: { lastHeartbeat: async () => 0 },
    ids,
    lostJobs: { failed: async () => [] },
    ingest,
  });
  const tombstones = createTombstones(db);
  const secretAttachments = createSecretAttachments({ execute, clock });
  const operations = createDataSourceOperations({
    execute,
    view: createDataSourceView(db),
    tombstones,
    connectors,
    secretAttachments,
    ids,
    clock,
  });
  const create = createCreateDataSource({
    execute,
    ids,
    hash: sha256,
    clock,
    scheduling: null as never,
    overlay: createRowOverlay(db),
    connectors,
    secretAttachments,
  });
  const purge = createPurge({
    execute,
    catalog,
    vectors: { forget: async () => {} },
    feed,
    gate,
    files,
    connectors,
    schedules: createDueSchedules(db),
    tombstones,
    clock,
  });

  return { connectors, steps, clock, time, caller, handler, operations, create, purge };
};
