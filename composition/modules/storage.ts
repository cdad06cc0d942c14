import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { createFileAreas } from '../../adapters/storage/disk/file-areas.ts';
import { createLeadership } from '../../adapters/postgres/projections/leadership.ts';
import { createViewProgress } from '../../adapters/postgres/projections/progress.ts';
import { createReadGate } from '../../adapters/postgres/projections/read-gate.ts';
import { createAgentView } from '../../adapters/postgres/views/agent-view.ts';
import { createApiKeyView } from '../../adapters/postgres/views/api-key-view.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createSourceGroupView } from '../../adapters/postgres/views/source-group-view.ts';
import { createTagView } from '../../adapters/postgres/views/tag-view.ts';
import { createCrawlFrontier } from '../../adapters/postgres/work/crawl-frontier.ts';
import { createUnitLedger } from '../../adapters/postgres/work/unit-ledger.ts';
import { createUploadsUnderWay } from '../../adapters/postgres/work/uploads-under-way.ts';
import { agentRunWork, createAgentRunRows } from '../../adapters/postgres/work/agent-work.ts';
import { dataSourceWork } from '../../adapters/postgres/work/data-source-work.ts';
import { createDeletions } from '../../adapters/postgres/work/deletions.ts';
import { createDueSchedules } from '../../adapters/postgres/work/due-schedules.ts';
import { createApiKeyMarks } from '../../adapters/postgres/withheld/api-key-marks.ts';
import { createRowMarks } from '../../adapters/postgres/withheld/row-marks.ts';
import { createWithheld } from '../../adapters/postgres/withheld/withheld.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { createS3FileAreas } from '../../adapters/storage/s3/file-areas.ts';
import { tracedEventStore } from '../../adapters/telemetry/traced-event-store.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { createStateCache } from '../../application/event-sourcing/state-cache.ts';
import {
  watchedEventFeed,
  watchedEventStore,
} from '../../application/event-sourcing/store-health/watched-event-log.ts';
import type { FileAreas } from '../../application/ports/file-store.ts';
import type { Config } from '../config.ts';
import type { EventLog } from '../event-log.ts';
import { backOffFor } from '../back-off.ts';
import type { Databases } from '../startup.ts';
import type { StoreWatches } from '../store-watches.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** How long a request waits for others who write to the same stream. A client rarely waits for longer than half a minute. */
const REQUEST_LIMIT_MS = 20_000;

type FilesConfig = Pick<Config, 'files' | 'dataDir'>;
type StorageConfig = FilesConfig & Pick<Config, 'telemetry'>;

/** Everything that is kept: events, read models, work under way, files. */
export const storageModule = (
  config: StorageConfig,
  { views, extensions, close }: Databases,
  events: EventLog,
  watches: StoreWatches,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { db, transact } = views;
    const provide = providing(bind);
    provide(T.Database, () => views, {}).onDeactivation(async () => {
      await events.close();
      await close();
    });
    bind(T.Db).toConstantValue(db);
    bind(T.Transact).toConstantValue(transact);
    bind(T.Extensions).toConstantValue(extensions);
    bind(T.EventLog).toConstantValue(events);
    bind(T.StoreWatches).toConstantValue(watches);
    const watched = watchedEventStore(events.store, watches.events, watches.appended);
    // Where nobody collects spans, none are made of each write.
    const store = config.telemetry.traces ? tracedEventStore(watched, events.system) : watched;
    bind(T.EventStore).toConstantValue(store);
    bind(T.EventFeed).toConstantValue(watchedEventFeed(events.feed, watches.events));
    provide(T.Leadership, ({ log }) => createLeadership(views.newClient, log), { log: T.Logger });
    const progress = createViewProgress();
    bind(T.ViewProgress).toConstantValue(progress);
    bind(T.ReadGate).toConstantValue(createReadGate(db, progress));
    bind(T.DataSourceView).toConstantValue(createDataSourceView(db));
    bind(T.ApiKeyView).toConstantValue(createApiKeyView(db));
    bind(T.TagView).toConstantValue(createTagView(db));
    bind(T.SourceGroupView).toConstantValue(createSourceGroupView(db));
    bind(T.CrawlFrontier).toConstantValue(createCrawlFrontier(views));
    bind(T.UnitLedger).toConstantValue(createUnitLedger(views));
    bind(T.UploadsUnderWay).toConstantValue(createUploadsUnderWay(db));
    bind(T.Deletions).toConstantValue(createDeletions(db));
    bind(T.AgentRunRows).toConstantValue(createAgentRunRows(db));
    bind(T.AgentView).toConstantValue(createAgentView(db));
    bind(T.DueSchedules).toConstantValue(createDueSchedules(db));
    bind(T.ApiKeyMarks).toConstantValue(createApiKeyMarks(db));
    bind(T.RowMarks).toConstantValue(createRowMarks(db));
    bind(T.Withheld).toConstantValue(createWithheld(db));
    provide(T.WorkLeases, ({ clock }) => createWorkLeases(db, clock, dataSourceWork), { clock: T.Clock });
    provide(T.RunLeases, ({ clock }) => createWorkLeases(db, clock, [agentRunWork]), { clock: T.Clock });
    provide(T.StateCache, createStateCache, {});
    provide(T.FileAreas, () => fileAreas(config), {}).onDeactivation((areas) => areas.close());
    provide(
      T.Execute,
      createExecute,
      { store: T.EventStore, codec: T.EventCodec, ids: T.IdSource, cache: T.StateCache },
      { backOff: backOffFor(REQUEST_LIMIT_MS) },
    );
  });

const fileAreas = ({ files, dataDir }: FilesConfig): FileAreas =>
  files === undefined
    ? createFileAreas(join(dataDir, 'files'))
    : createS3FileAreas({ address: files, temporary: join(dataDir, 'tmp') });
