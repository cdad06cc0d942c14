import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { createFileAreas } from '../../adapters/files/file-areas.ts';
import { createLeadership } from '../../adapters/postgres/projections/leadership.ts';
import { createViewProgress } from '../../adapters/postgres/projections/progress.ts';
import { createReadGate } from '../../adapters/postgres/projections/read-gate.ts';
import { createSnapshotStore } from '../../adapters/postgres/snapshots/snapshot-store.ts';
import { createApiKeyView } from '../../adapters/postgres/views/api-key-view.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createSourceGroupView } from '../../adapters/postgres/views/source-group-view.ts';
import { createTagView } from '../../adapters/postgres/views/tag-view.ts';
import { createCrawlFrontier } from '../../adapters/postgres/work/crawl-frontier.ts';
import { createDueSchedules } from '../../adapters/postgres/work/due-schedules.ts';
import { createApiKeyMarks } from '../../adapters/postgres/withheld/api-key-marks.ts';
import { createRowMarks } from '../../adapters/postgres/withheld/row-marks.ts';
import { createWithheld } from '../../adapters/postgres/withheld/withheld.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { createS3FileAreas } from '../../adapters/s3/file-areas.ts';
import { tracedEventStore } from '../../adapters/telemetry/traced-event-store.ts';
import { createExecute } from '../../application/execute.ts';
import { createKeptStates } from '../../application/folding/kept-states.ts';
import { watchedEventFeed, watchedEventStore } from '../../application/outage/watched-event-log.ts';
import type { FileAreas } from '../../application/ports/file-areas.ts';
import type { Config } from '../config.ts';
import type { EventLog } from '../event-log.ts';
import { patienceFor } from '../patience.ts';
import type { Databases } from '../startup.ts';
import type { StoreWatches } from '../store-watches.ts';
import { TOKENS } from '../tokens.ts';

/** How long a request waits for others who write to the same stream. A client rarely waits for longer than half a minute. */
const REQUEST_LIMIT_MS = 20_000;

/** Everything that is kept: events, read models, work under way, files. */
export const storageModule = (
  { views, extensions, close }: Databases,
  events: EventLog,
  watches: StoreWatches,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { db } = views;
    bind(TOKENS.Database)
      .toResolvedValue(() => views)
      .inSingletonScope()
      .onDeactivation(async () => {
        await events.close();
        await close();
      });
    bind(TOKENS.Extensions).toConstantValue(extensions);
    bind(TOKENS.EventLog).toConstantValue(events);
    bind(TOKENS.StoreWatches).toConstantValue(watches);
    const watched = watchedEventStore(events.store, watches.events, watches.appended);
    bind(TOKENS.EventStore).toConstantValue(tracedEventStore(watched, events.system));
    bind(TOKENS.EventFeed).toConstantValue(watchedEventFeed(events.feed, watches.events));
    bind(TOKENS.Leadership).toResolvedValue((log) => createLeadership(views.newClient, log), [TOKENS.Logger]);
    const progress = createViewProgress();
    bind(TOKENS.ViewProgress).toConstantValue(progress);
    bind(TOKENS.ReadGate).toConstantValue(createReadGate(db, progress));
    bind(TOKENS.DataSourceView).toConstantValue(createDataSourceView(db));
    bind(TOKENS.ApiKeyView).toConstantValue(createApiKeyView(db));
    bind(TOKENS.TagView).toConstantValue(createTagView(db));
    bind(TOKENS.SourceGroupView).toConstantValue(createSourceGroupView(db));
    bind(TOKENS.CrawlFrontier).toConstantValue(createCrawlFrontier(db));
    bind(TOKENS.DueSchedules).toConstantValue(createDueSchedules(db));
    bind(TOKENS.ApiKeyMarks).toConstantValue(createApiKeyMarks(db));
    bind(TOKENS.RowMarks).toConstantValue(createRowMarks(db));
    bind(TOKENS.Withheld).toConstantValue(createWithheld(db));
    bind(TOKENS.WorkLeases).toResolvedValue((clock) => createWorkLeases(db, clock), [TOKENS.Clock]);
    bind(TOKENS.KeptStates).toResolvedValue(
      (log) => createKeptStates({ snapshots: createSnapshotStore(db), log }),
      [TOKENS.Logger],
    );
    bind(TOKENS.FileAreas)
      .toResolvedValue(fileAreas, [TOKENS.Config])
      .inSingletonScope()
      .onDeactivation((files) => files.close());
    bind(TOKENS.Execute).toResolvedValue(
      (store, codec, ids, kept) =>
        createExecute({ store, codec, ids, kept, patience: patienceFor(REQUEST_LIMIT_MS) }),
      [TOKENS.EventStore, TOKENS.EventCodec, TOKENS.IdSource, TOKENS.KeptStates],
    );
  });

const fileAreas = ({ files, dataDir }: Config): FileAreas =>
  files === undefined
    ? createFileAreas(join(dataDir, 'files'))
    : createS3FileAreas({ address: files, temporary: join(dataDir, 'tmp') });
