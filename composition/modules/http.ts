import { CONSOLE_FOLDER } from '../console.ts';
import { buildApp, buildHealthApp } from '../../adapters/http/app.ts';
import { isTableGone } from '../../adapters/postgres/work/database-identity.ts';
import { createFairQueue } from '../../adapters/system/fair-queue.ts';
import { isTransient } from '../../adapters/postgres/connection.ts';
import { createMeasurements } from '../measurements.ts';
import { programVersion } from '../process.ts';
import { createReadiness, createStartState } from '../readiness.ts';
import { createReadStatus } from '../status.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ACCESS } from './access.ts';
import { AGENTS } from './agents.ts';
import { ANSWERS, LANGUAGE_MODELS } from './answers.ts';
import { AUDIT } from './audit.ts';
import { CORE } from './core.ts';
import { CRAWLER } from './crawler.ts';
import { REDACTION } from './redaction.ts';
import { SEARCH } from './search.ts';
import { SOURCES } from './sources.ts';
import { WEBHOOKS } from './webhooks.ts';

const HEALTH_NEEDS = { core: CORE, crawler: CRAWLER };

/** Liveness and readiness of the process. */
const openHealth = ({ core, crawler }: Given<typeof HEALTH_NEEDS>) => {
  const { config, ids, log, stop } = core;
  const start = createStartState();
  const told = (configured: boolean): string => (configured ? 'ready' : 'not configured');
  const answers = {
    ids,
    log,
    stop,
    readiness: createReadiness({ ...core, log, start, eventsApart: config.eventStoreUrl !== undefined }),
    /** Optional parts. The response is public; the log says more. */
    optionalParts: () => ({
      browser: told(crawler.browser.missing() === null),
      agent_runtime: told(config.agents.runtime !== null),
      embeddings: told(config.embeddings !== undefined),
      reranker: told(config.rerank !== undefined),
    }),
  };
  /** For a process that serves no API. */
  const app = () => buildHealthApp(answers);
  return { start, answers, app };
};

export const HEALTH = token<ReturnType<typeof openHealth>>('health');
export const healthModule = provide(HEALTH, HEALTH_NEEDS, openHealth);

const NEEDS = {
  core: CORE,
  redaction: REDACTION,
  access: ACCESS,
  audit: AUDIT,
  sources: SOURCES,
  search: SEARCH,
  answers: ANSWERS,
  languageModels: LANGUAGE_MODELS,
  agents: AGENTS,
  webhooks: WEBHOOKS,
  health: HEALTH,
};

/** Completions that are prepared at once: read, searched for, put into a prompt. Models answer any number at once. */
const MAX_PREPARED = 16;
/** How long others wait for that. */
const WAIT_MS = 10_000;

/** The HTTP adapter over the use cases of all features. */
const openApi = ({ core, health, ...features }: Given<typeof NEEDS>) => {
  const { clock, config } = core;
  const version = programVersion();
  const { redaction, access, audit, sources, search, answers, languageModels, agents, webhooks } = features;
  const app = () =>
    buildApp({
      ...redaction.operations,
      ...access.operations,
      ...audit.operations,
      ...sources.operations,
      ...search.operations,
      ...answers.operations,
      ...agents.operations,
      ...webhooks.operations,
      ...health.answers,
      clock,
      gate: core.gate,
      feed: core.feed,
      withDatabase: core.watches.database.guard,
      inTurn: createFairQueue({
        maxConcurrent: MAX_PREPARED,
        waitMs: WAIT_MS,
        errorMessage: 'there are too many questions at once: try again',
      }),
      isTransient: (error) => isTransient(error) || isTableGone(error),
      corsOrigins: config.corsOrigins,
      publicUrl: config.publicUrl,
      offer: languageModels.offer,
      embedder: search.embedders?.current ?? null,
      linksCitations: config.chatLinks,
      readStatus: createReadStatus({
        config,
        embedded: core.databases.embedded,
        version,
        holdings: sources.operations.sourceGroups.holdings,
        readiness: health.answers.readiness,
        measurements: createMeasurements(core),
        now: clock.now,
      }),
      consoleFolder: config.console ? CONSOLE_FOLDER : undefined,
      version,
    });
  return { app };
};

export const API = token<ReturnType<typeof openApi>>('api');
export const apiModule = provide(API, NEEDS, openApi);
