import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { createFileAreas } from '../../adapters/files/file-areas.ts';
import { createPostgresEventFeed } from '../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../adapters/postgres/event-store.ts';
import { createWakeUp } from '../../adapters/postgres/events/wake-up.ts';
import { createReadGate } from '../../adapters/postgres/projections/read-gate.ts';
import { createApiKeyView } from '../../adapters/postgres/views/api-key-view.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createCrawlFrontier } from '../../adapters/postgres/work/crawl-frontier.ts';
import { createDueSchedules } from '../../adapters/postgres/work/due-schedules.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { tracedEventStore } from '../../adapters/telemetry/traced-event-store.ts';
import { createExecute } from '../../application/execute.ts';
import type { Databases } from '../startup.ts';
import { TOKENS } from '../tokens.ts';

/** Everything that is kept: events, read models, work under way, files. */
export const storageModule = ({ events, views, close }: Databases): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { pool, newClient } = events;
    const { db } = views;
    const wakeUp = createWakeUp({ pool, newClient });
    bind(TOKENS.Database)
      .toResolvedValue(() => views)
      .inSingletonScope()
      .onDeactivation(async () => {
        await wakeUp.close();
        await close();
      });
    bind(TOKENS.EventStore).toConstantValue(tracedEventStore(createPostgresEventStore({ pool, wakeUp })));
    bind(TOKENS.EventFeed).toConstantValue(createPostgresEventFeed({ pool, wakeUp }));
    bind(TOKENS.ReadGate).toConstantValue(createReadGate(db));
    bind(TOKENS.DataSourceView).toConstantValue(createDataSourceView(db));
    bind(TOKENS.ApiKeyView).toConstantValue(createApiKeyView(db));
    bind(TOKENS.CrawlFrontier).toConstantValue(createCrawlFrontier(db));
    bind(TOKENS.DueSchedules).toConstantValue(createDueSchedules(db));
    bind(TOKENS.WorkLeases).toResolvedValue((clock) => createWorkLeases(db, clock), [TOKENS.Clock]);
    bind(TOKENS.FileAreas).toResolvedValue(
      (config) => createFileAreas(join(config.dataDir, 'files')),
      [TOKENS.Config],
    );
    bind(TOKENS.Execute).toResolvedValue(
      (store, codec, ids) => createExecute({ store, codec, ids }),
      [TOKENS.EventStore, TOKENS.EventCodec, TOKENS.IdSource],
    );
  });
