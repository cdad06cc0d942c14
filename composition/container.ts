import { Container } from 'inversify';
import { createStopSteps, type StopSignals } from '../adapters/http/stop-steps.ts';
import type { MasterKeys } from '../application/ports/vault.ts';
import type { Config } from './config.ts';
import { type EventLog, openEventLog } from './event-log.ts';
import { createLog } from './log.ts';
import { agentsModule } from './modules/agents.ts';
import { agentLoopModule } from './modules/agent-loop.ts';
import { agentRuntimeModule } from './modules/agent-runtime.ts';
import { applicationModule } from './modules/application.ts';
import { authzModule } from './modules/authz.ts';
import { browserModule } from './modules/browser.ts';
import { catalogModule } from './modules/catalog.ts';
import { conversationsModule } from './modules/conversations.ts';
import { completionsModule } from './modules/completions.ts';
import { crawlingModule } from './modules/crawling.ts';
import { connectorsModule } from './modules/connectors.ts';
import { embeddingModule } from './modules/embedding.ts';
import { groundingModule } from './modules/grounding.ts';
import { httpModule } from './modules/http.ts';
import { knowledgeToolsModule } from './modules/knowledge-tools.ts';
import { pushesModule } from './modules/pushes.ts';
import { redactionModule } from './modules/redaction.ts';
import { listedSourcesModule } from './modules/listed-sources.ts';
import { rerankingModule } from './modules/reranking.ts';
import { rolesModule } from './modules/roles.ts';
import { scrapingModule } from './modules/scraping.ts';
import { searchingModule } from './modules/searching.ts';
import { secretsModule } from './modules/secrets.ts';
import { storageModule } from './modules/storage.ts';
import { systemModule } from './modules/system.ts';
import { uploadsModule } from './modules/uploads.ts';
import { workModule } from './modules/work.ts';
import type { Databases } from './startup.ts';
import { createStoreWatches, type StoreWatches } from './store-watches.ts';
import { TOKENS } from './tokens.ts';

export interface Endings {
  /** Of the server. */
  readonly stop: StopSignals;
  /** Work under way is to be put down. */
  readonly stopping: AbortSignal;
}

const NEVER: Endings = { stop: createStopSteps(), stopping: new AbortController().signal };

/**
 * Everything wired, nothing started. `unbindAllAsync` closes what was opened; when wiring fails, that is closed too.
 *
 * @param masterKeys null: conversations and secrets are neither kept nor read
 */
export const openContainer = async (
  config: Config,
  databases: Databases,
  endings?: Endings,
  masterKeys: MasterKeys | null = null,
): Promise<Container> => {
  let events: EventLog | undefined;
  try {
    events = await openEventLog(config, databases.events);
    const watches = createStoreWatches(databases, events, createLog(config));
    return buildContainer(config, databases, { events, watches }, masterKeys, endings);
  } catch (error) {
    await events?.close();
    await databases.close();
    throw error;
  }
};

const buildContainer = (
  config: Config,
  databases: Databases,
  { events, watches }: { readonly events: EventLog; readonly watches: StoreWatches },
  masterKeys: MasterKeys | null,
  { stop, stopping }: Endings = NEVER,
): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(
    systemModule(watches.log),
    storageModule(config, databases, events, watches),
    conversationsModule(databases, masterKeys),
    catalogModule,
    searchingModule(config, databases),
    embeddingModule(config),
    rerankingModule(config),
    browserModule(config),
    crawlingModule(config),
    connectorsModule(config),
    listedSourcesModule(config),
    redactionModule,
    secretsModule(databases),
    authzModule(config),
    applicationModule,
    uploadsModule,
    pushesModule,
    scrapingModule(config),
    groundingModule(config.webSearch),
    completionsModule(config),
    knowledgeToolsModule,
    agentsModule(config),
    agentLoopModule(config),
    agentRuntimeModule(config),
    workModule(config),
    rolesModule,
    httpModule(config, stop),
  );
  container.bind(TOKENS.Stopping).toConstantValue(stopping);
  // What nobody asked for is not closed at the end, and the databases are open already: they would hold the process.
  container.get(TOKENS.Database);
  return container;
};
