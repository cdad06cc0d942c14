import { resolve } from 'node:path';
import { editDistance } from '../../domain/ranking/mistakes.ts';
import { readAgents } from './agents.ts';
import { ConfigError, type Environment, readVariables } from './environment.ts';
import { findBrowser, search } from './machine.ts';
import { embeddings, LANGUAGE_MODEL, readLanguageModel, rerank, transcription, webSearch } from './models.ts';
import { readTelemetry } from './telemetry.ts';
import { type Given, type RoleName, ROLES, VARIABLES } from './variables.ts';

/** Everything that may be set from outside. `docs/configuration.md` lists the variables. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** @throws ConfigError */
export const readConfig = (env: Environment, terminal: boolean): Config => {
  refuseUnknownVariables(env);
  return configOf(env, readVariables(env, VARIABLES), terminal);
};

const configOf = (env: Environment, given: Given, terminal: boolean) => ({
  host: given.HOST,
  port: given.PORT,
  dataDir: resolve(given.KNOWLEDGER_DATA_DIR ?? './data'),
  /** What this process does. */
  roles: roles(given),
  databaseUrl: given.DATABASE_URL,
  /** Connections of this process that queries share; a few more listen and hold locks. */
  databaseConnections: given.KNOWLEDGER_DATABASE_CONNECTIONS,
  eventStoreUrl: given.EVENTSTORE_URL,
  /** Where files lie; undefined: in the data directory. */
  files: given.FILES_URL,
  /** How long requests are still taken after a signal to stop. */
  drainMs: given.KNOWLEDGER_DRAIN_MS ?? (terminal ? 0 : 3_000),
  bootstrapKey: given.KNOWLEDGER_BOOTSTRAP_KEY,
  /** Null: the one in the data directory, if any. */
  masterKey: given.KNOWLEDGER_MASTER_KEY,
  /** Others that are read with: before and after a rotation. */
  masterKeyPrevious: masterKeyPrevious(given),
  allowAddresses: given.KNOWLEDGER_ALLOW_ADDRESSES,
  /** Origins whose pages may read answers; `*` alone: all. */
  corsOrigins: given.KNOWLEDGER_CORS_ORIGINS,
  /** Where clients reach the service, without a slash at its end; undefined: where each has asked. */
  publicUrl: given.KNOWLEDGER_PUBLIC_URL,
  /** How long the work of a worker that died waits for another one. */
  leaseMs: 1_000 * given.KNOWLEDGER_LEASE_SECONDS,
  /** Work at data sources at once. */
  workerSlots: given.KNOWLEDGER_WORKER_SLOTS,
  /** Runs of agents at once. */
  agentSlots: given.KNOWLEDGER_AGENT_SLOTS,
  /** Whether reads of documents are judged by authz policies. */
  authz: given.KNOWLEDGER_AUTHZ === 'on',
  crawl: {
    concurrency: given.KNOWLEDGER_CRAWL_CONCURRENCY,
    delayMs: given.KNOWLEDGER_CRAWL_DELAY_MS,
    maxBytes: given.KNOWLEDGER_CRAWL_MAX_BYTES,
    /** For one page with all its redirects. */
    timeoutMs: given.KNOWLEDGER_CRAWL_TIMEOUT_MS,
    userAgent: given.KNOWLEDGER_USER_AGENT,
  },
  /** For crawls with `use_browser`. */
  browser: {
    ...findBrowser(given.KNOWLEDGER_BROWSER, env['PATH']),
    /** Open at once. */
    pages: given.KNOWLEDGER_BROWSER_PAGES,
    /** For the processes of one page, each. */
    memoryBytes: given.KNOWLEDGER_BROWSER_MEMORY_MB * 1_024 ** 2,
    /** Whether the browser's own sandbox is used. */
    sandbox: given.KNOWLEDGER_BROWSER_SANDBOX === 'on',
  },
  /** Bases of the APIs of providers of sources, and where access tokens of drives come from. */
  repository: { apiUrl: given.KNOWLEDGER_REPOSITORY_API_URL },
  drive: { apiUrl: given.KNOWLEDGER_DRIVE_API_URL, tokenUrl: given.KNOWLEDGER_DRIVE_TOKEN_URL },
  wiki: {
    apiUrl: given.KNOWLEDGER_WIKI_API_URL,
    /** Of one secret, in one process. */
    requestsPerSecond: given.KNOWLEDGER_WIKI_REQUESTS_PER_SECOND,
  },
  extraction: {
    processes: given.KNOWLEDGER_EXTRACTORS,
    /** For one document. */
    timeMs: given.KNOWLEDGER_EXTRACTION_TIMEOUT_MS,
    memoryBytes: given.KNOWLEDGER_EXTRACTION_MEMORY_MB * 1_024 ** 2,
  },
  /** Undefined: answers are sentences of the contents. */
  languageModel: readLanguageModel(env),
  /** Undefined: search is by words alone. */
  embeddings: embeddings(given),
  /** Undefined: `rerank` is refused. */
  rerank: rerank(given),
  /** Of each process of a model of this machine; undefined: half of the processors. */
  modelThreads: given.KNOWLEDGER_MODEL_THREADS,
  /** Undefined: what recordings say is not read. */
  transcription: transcription(given, env['PATH']),
  search: search(given),
  /** Undefined: no answer is grounded on the web. */
  webSearch: webSearch(given),
  agents: readAgents(env, given),
  log: {
    format: given.KNOWLEDGER_LOG_FORMAT ?? (terminal ? ('text' as const) : ('json' as const)),
    level: given.KNOWLEDGER_LOG_LEVEL,
  },
  telemetry: readTelemetry(env),
  metricsPort: metricsPort(given),
  /** For commands: the running service that they speak to, and the key that they ask it with. */
  service: {
    url: given.KNOWLEDGER_URL,
    key: given.KNOWLEDGER_API_KEY ?? given.KNOWLEDGER_BOOTSTRAP_KEY,
  },
});

const masterKeyPrevious = ({
  KNOWLEDGER_MASTER_KEY: key,
  KNOWLEDGER_MASTER_KEY_PREVIOUS: previous,
}: Given) => {
  if (previous.length === 0 || key !== null) return previous;
  throw new ConfigError('KNOWLEDGER_MASTER_KEY_PREVIOUS needs KNOWLEDGER_MASTER_KEY, the one that is in use');
};

const metricsPort = ({ KNOWLEDGER_METRICS_PORT: port, PORT }: Given): number | undefined => {
  if (port !== PORT) return port;
  throw new ConfigError(`KNOWLEDGER_METRICS_PORT takes a port of its own, not that of PORT: ${port}`);
};

const roles = ({ KNOWLEDGER_ROLES: names, DATABASE_URL: database }: Given): ReadonlySet<RoleName> => {
  if (names.length === 0) return new Set(ROLES);
  const given = new Set(names);
  const left = ROLES.filter((role) => !given.has(role));
  if (left.length === 0 || database !== undefined) return given;
  throw new ConfigError(
    `KNOWLEDGER_ROLES leaves out ${left.join(', ')}: set DATABASE_URL, because the embedded Postgres serves this process alone, and nobody would do that work`,
  );
};

/** Every variable that the program reads, but for those that AWS and OpenTelemetry read by themselves. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...Object.keys(LANGUAGE_MODEL).map((name) => `LLM_${name}`),
];

const PREFIX = 'KNOWLEDGER_';
const OF_TESTS = 'KNOWLEDGER_TEST_';
/** What Kubernetes sets in every container beside a service whose name begins with `knowledger`. */
const OF_SERVICES = /_SERVICE_HOST$|_SERVICE_PORT(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * A misspelt variable would be ignored without a word, and with it what it was to switch on.
 *
 * @throws ConfigError for a name of ours that is not known, with the nearest one that is; values are not repeated
 */
const refuseUnknownVariables = (env: Environment): void => {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !name.startsWith(PREFIX) || name.startsWith(OF_TESTS)) continue;
    if (KNOWN_VARIABLES.includes(name)) continue;
    if (OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value)) continue;
    throw new ConfigError(`${name} is no variable of this program: is ${nearest(name)} meant? Else unset it`);
  }
};

const nearest = (name: string): string => {
  const distance = (known: string): number =>
    editDistance(name.replace(PREFIX, ''), known.replace(PREFIX, ''), name.length);
  return KNOWN_VARIABLES.reduce((best, known) => (distance(known) < distance(best) ? known : best));
};
