import { Container } from 'inversify';
import { type StopSignals, createStopSteps } from '../adapters/http/stop-signals.ts';
import type { MasterKeys } from '../application/ports/vault.ts';
import type { Config } from './config/config.ts';
import type { Databases } from './databases.ts';
import { type EventLog, openEventLog, createStoreWatches } from './event-log.ts';
import { createLog } from './process.ts';
import { accessModule } from './modules/access.ts';
import { agentsModule } from './modules/agents.ts';
import { answersModule, languageModelsModule } from './modules/answers.ts';
import { auditModule } from './modules/audit.ts';
import { collectorModule } from './modules/collector.ts';
import { connectorsModule } from './modules/connectors.ts';
import { crawlerModule } from './modules/crawler.ts';
import { CORE, coreModule, OPENED } from './modules/core.ts';
import { apiModule, healthModule } from './modules/http.ts';
import { catalogModule, redactionModule } from './modules/redaction.ts';
import { searchModule } from './modules/search.ts';
import { schedulesModule, sourcesModule } from './modules/sources.ts';
import { webhooksModule } from './modules/webhooks.ts';
import { schedulerModule, viewsModule, workerModule } from './modules/roles.ts';

interface StopControls {
  /** Stop signals of the server. */
  readonly stop: StopSignals;
  /** Aborts when work in progress must stop. */
  readonly stopping: AbortSignal;
}

const NEVER: StopControls = { stop: createStopSteps(), stopping: new AbortController().signal };

/**
 * Wires everything and starts nothing. `unbindAllAsync` closes what was opened; when wiring fails, that is closed too.
 *
 * @param masterKeys null when conversations and secrets can be neither stored nor read
 */
export const openContainer = async (
  config: Config,
  databases: Databases,
  endings = NEVER,
  masterKeys: MasterKeys | null = null,
): Promise<Container> => {
  let events: EventLog | undefined;
  try {
    events = await openEventLog(config, databases.events);
    const watches = createStoreWatches(databases, events, createLog(config));
    const container = new Container({ defaultScope: 'Singleton' });
    container.bind(OPENED).toConstantValue({ config, databases, events, watches, masterKeys, ...endings });
    container.load(
      coreModule,
      redactionModule,
      catalogModule,
      accessModule,
      auditModule,
      viewsModule,
      collectorModule,
      webhooksModule,
      crawlerModule,
      connectorsModule,
      schedulesModule,
      sourcesModule,
      searchModule,
      languageModelsModule,
      answersModule,
      agentsModule,
      workerModule,
      schedulerModule,
      healthModule,
      apiModule,
    );
    // Inversify closes only services that were requested. The open databases would otherwise keep the process alive.
    container.get(CORE);
    return container;
  } catch (error) {
    await events?.close();
    await databases.close();
    throw error;
  }
};
