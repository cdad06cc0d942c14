import { createSourceGroupView } from '../../adapters/postgres/views/source-group-view.ts';
import { createTagView } from '../../adapters/postgres/views/tag-view.ts';
import { createRecurrence } from '../../adapters/recurrence/recurrence.ts';
import { packChunkSet } from '../../adapters/storage/chunk-sets.ts';
import { scratchFiles } from '../../adapters/storage/disk/scratch-files.ts';
import { cachingChunkSetWriter } from '../../application/sources/content/recent-chunk-sets.ts';
import { createAuditTrail } from '../../application/sources/data-sources/audit-trail.ts';
import { createSourceOperations } from '../../application/sources/documents/operations.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import {
  createDataSourceOperations,
  createItemErrors,
} from '../../application/sources/ingestion/operations.ts';
import { createIngestionSettingOperations } from '../../application/sources/ingestion/setting-operations.ts';
import { createTestConnection } from '../../application/sources/ingestion/test-connection.ts';
import { createLockPush } from '../../application/sources/pushes/lock-push.ts';
import { createPushJobs } from '../../application/sources/pushes/jobs.ts';
import { createPutDocument } from '../../application/sources/pushes/put-document.ts';
import { createRemoveDocument } from '../../application/sources/pushes/remove-document.ts';
import { createScheduling } from '../../application/sources/schedules/scheduling.ts';
import { createScrape } from '../../application/sources/scrape/scrape.ts';
import { createSourceGroupOperations } from '../../application/sources/source-groups/operations.ts';
import { createTagBindingOperations } from '../../application/sources/tags/binding-operations.ts';
import { createTagOperations } from '../../application/sources/tags/operations.ts';
import { createAddFiles } from '../../application/sources/uploads/add-files.ts';
import { createCreateGroup } from '../../application/sources/uploads/create-group.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ACCESS } from './access.ts';
import { CONNECTORS, rawUrlOf } from './connectors.ts';
import { CRAWLER } from './crawler.ts';
import { CATALOG, REDACTION } from './redaction.ts';
import { CORE, waitingAtMost } from './core.ts';

/** How long a report waits for other reports of the same push. */
const PUSH_LIMIT_MS = 30_000;
/** Timeout of one page with its robots.txt and all redirects: clients do not wait longer. */
const SCRAPE_LIMIT_MS = 60_000;
const TEST_LIMIT_MS = 60_000;

/** Schedules of data sources: a separate thread computes occurrences. */
const openSchedules = () => {
  const recurrence = createRecurrence();
  return { scheduling: createScheduling(recurrence), close: () => recurrence.close() };
};

export const SCHEDULES = token<ReturnType<typeof openSchedules>>('schedules');
export const schedulesModule = provide(SCHEDULES, {}, openSchedules);

const NEEDS = {
  core: CORE,
  redaction: REDACTION,
  catalog: CATALOG,
  access: ACCESS,
  schedules: SCHEDULES,
  crawler: CRAWLER,
  connectors: CONNECTORS,
};

/** Data sources of every kind, their documents, and the operations of external executors. */
const openSources = ({
  core,
  redaction,
  catalog,
  access,
  schedules: { scheduling },
  crawler,
  connectors: { connectors },
}: Given<typeof NEEDS>) => {
  const { accessTo, secretAttachments } = access;
  const { db, dataSources: view } = core;
  const common = { ...core, view, connectors, scheduling, secretAttachments, accessTo };
  const receiving = {
    ...common,
    every: core.everyLogged('an upload cannot be held'),
  };
  const reading = { extractor: crawler.reader, redaction: redaction.policies };
  const backOff = waitingAtMost(PUSH_LIMIT_MS);
  const lockPush = createLockPush({ ...common, leases: core.jobLeases, backOff });
  const settings = createIngestionSettingOperations(common);
  const tags = { ...common, view: createTagView(db) };
  return {
    operations: {
      createDataSource: createCreateDataSource(common),
      testConnection: createTestConnection({ ...common, limit: () => AbortSignal.timeout(TEST_LIMIT_MS) }),
      dataSources: createDataSourceOperations(common),
      settings,
      auditTrail: createAuditTrail(common),
      itemErrors: createItemErrors(common),
      sources: createSourceOperations({
        ...common,
        catalog: catalog.catalog,
        redactTextFor: redaction.redactTextFor,
      }),
      sourceGroups: createSourceGroupOperations({
        ...common,
        view: createSourceGroupView(db),
        settings,
      }),
      tags: createTagOperations(tags),
      tagBindings: createTagBindingOperations(tags),
      createLocalFileGroup: createCreateGroup(receiving),
      addLocalFiles: createAddFiles(receiving),
      pushJobs: createPushJobs({ ...common, lockPush }),
      putDocument: createPutDocument({
        ...receiving,
        ...reading,
        lockPush,
        writeChunkSet: cachingChunkSetWriter(catalog.recentChunkSets, core.hash, packChunkSet),
        urlOf: rawUrlOf,
      }),
      removeDocument: createRemoveDocument({ ...common, lockPush }),
      scrape: createScrape({
        ...crawler,
        ...reading,
        scratch: scratchFiles,
        limit: () => AbortSignal.timeout(SCRAPE_LIMIT_MS),
      }),
    },
  };
};

export const SOURCES = token<ReturnType<typeof openSources>>('sources');
export const sourcesModule = provide(SOURCES, NEEDS, openSources);
