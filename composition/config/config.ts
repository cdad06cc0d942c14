import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { editDistance } from '../../domain/ranking/mistakes.ts';
import { readAgents } from './agents.ts';
import { ConfigError, type Environment, readVariables } from './environment.ts';
import { findBrowser, search } from './machine.ts';
import { embeddings, LANGUAGE_MODEL, readLanguageModel, rerank, transcription, webSearch } from './models.ts';
import { readSignIn } from './sign-in.ts';
import { readTelemetry } from './telemetry.ts';
import { type Given, type RoleName, ROLES, VARIABLES } from './variables.ts';

/** The configuration of the program. `docs/configuration.md` lists the variables. */
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
  /** The roles of this process. */
  roles: roles(given),
  databaseUrl: given.DATABASE_URL,
  /** Size of the shared connection pool of this process; a few more connections listen and hold locks. */
  databaseConnections: given.KNOWLEDGER_DATABASE_CONNECTIONS,
  eventStoreUrl: given.EVENTSTORE_URL,
  /** Before the name of every stream in EventStoreDB; '' for none. */
  eventStorePrefix: eventStorePrefix(given),
  /** Undefined when the catalog's database is searched. */
  openSearch: openSearch(given),
  /** Location of files; undefined for the data directory. */
  files: given.FILES_URL,
  /** How long the service still accepts requests after a signal to stop. */
  drainMs: given.KNOWLEDGER_DRAIN_MS ?? (terminal ? 0 : 3_000),
  bootstrapKey: given.KNOWLEDGER_BOOTSTRAP_KEY,
  /** Null for the key in the data directory, if there is one. */
  masterKey: given.KNOWLEDGER_MASTER_KEY,
  /** Other keys for decryption, before and after a rotation. */
  masterKeyPrevious: masterKeyPrevious(given),
  /** Of the event log: the key that signs them (null: that in the data directory), and how often they are made. */
  checkpoints: {
    key: given.KNOWLEDGER_CHECKPOINT_KEY,
    /** 0: only on demand. */
    everyMs: 60_000 * given.KNOWLEDGER_CHECKPOINT_MINUTES,
    witnesses: given.KNOWLEDGER_WITNESSES,
    /** Begins the origin of each log; undefined for the identity of the event log. */
    origin: given.KNOWLEDGER_CHECKPOINT_ORIGIN?.replace(/\/+$/, ''),
  },
  allowAddresses: given.KNOWLEDGER_ALLOW_ADDRESSES,
  /** Whether the console is served. */
  console: given.KNOWLEDGER_CONSOLE === 'on',
  chatLinks: given.KNOWLEDGER_CHAT_LINKS === 'on',
  /** Origins whose pages may read responses; a single `*` allows all. */
  corsOrigins: given.KNOWLEDGER_CORS_ORIGINS,
  /** The public base URL of the service, without a trailing slash; undefined when each request determines it. */
  publicUrl: given.KNOWLEDGER_PUBLIC_URL,
  /** How long the work of a dead worker waits before another worker takes it over. */
  leaseMs: 1_000 * given.KNOWLEDGER_LEASE_SECONDS,
  /** Maximum number of concurrent jobs. */
  workerSlots: given.KNOWLEDGER_WORKER_SLOTS,
  /** Maximum number of concurrent agent runs. */
  agentSlots: given.KNOWLEDGER_AGENT_SLOTS,
  /** Whether authz policies decide on reads of documents. */
  authz: given.KNOWLEDGER_AUTHZ === 'on',
  /** How people sign in; undefined where only keys give access. */
  signIn: readSignIn(given),
  crawl: {
    concurrency: given.KNOWLEDGER_CRAWL_CONCURRENCY,
    delayMs: given.KNOWLEDGER_CRAWL_DELAY_MS,
    maxBytes: given.KNOWLEDGER_CRAWL_MAX_BYTES,
    /** Timeout of one page with all its redirects. */
    timeoutMs: given.KNOWLEDGER_CRAWL_TIMEOUT_MS,
    userAgent: given.KNOWLEDGER_USER_AGENT,
  },
  /** The browser for crawls with `use_browser`. */
  browser: {
    ...findBrowser(given.KNOWLEDGER_BROWSER, env['PATH']),
    /** Maximum number of open pages. */
    pages: given.KNOWLEDGER_BROWSER_PAGES,
    /** Memory limit of each process of a page. */
    memoryBytes: given.KNOWLEDGER_BROWSER_MEMORY_MB * 1_024 ** 2,
    /** Whether the browser's own sandbox is used. */
    sandbox: given.KNOWLEDGER_BROWSER_SANDBOX === 'on',
  },
  /** Base URLs of the provider APIs, and where access tokens of drives come from. */
  repository: { apiUrl: given.KNOWLEDGER_REPOSITORY_API_URL },
  drive: { apiUrl: given.KNOWLEDGER_DRIVE_API_URL, tokenUrl: given.KNOWLEDGER_DRIVE_TOKEN_URL },
  wiki: {
    apiUrl: given.KNOWLEDGER_WIKI_API_URL,
    /** Rate limit of one secret in one process. */
    requestsPerSecond: given.KNOWLEDGER_WIKI_REQUESTS_PER_SECOND,
  },
  extraction: {
    processes: given.KNOWLEDGER_EXTRACTORS,
    /** Timeout of one document. */
    timeMs: given.KNOWLEDGER_EXTRACTION_TIMEOUT_MS,
    memoryBytes: given.KNOWLEDGER_EXTRACTION_MEMORY_MB * 1_024 ** 2,
  },
  /** Undefined when none is configured: answers then consist of sentences from the contents. */
  languageModel: readLanguageModel(env),
  /** Undefined when none are configured: search then uses words alone. */
  embeddings: embeddings(given),
  /** Undefined when none is configured: `rerank` is then refused. */
  rerank: rerank(given),
  /** Threads of each process of a local model; undefined for half of the processors. */
  modelThreads: given.KNOWLEDGER_MODEL_THREADS,
  /** Undefined when none is configured: recordings are not transcribed. */
  transcription: transcription(given, env['PATH']),
  search: search(given),
  /** Undefined when none is configured: no answer is grounded on the web. */
  webSearch: webSearch(given),
  agents: readAgents(env, given),
  log: {
    format: given.KNOWLEDGER_LOG_FORMAT ?? (terminal ? ('text' as const) : ('json' as const)),
    level: given.KNOWLEDGER_LOG_LEVEL,
  },
  telemetry: readTelemetry(env),
  /** The collector that events are sent to as log records; undefined for none. */
  collector: collector(given),
  metricsPort: metricsPort(given),
  /** For commands: the running service to talk to, and the API key. */
  service: {
    url: given.KNOWLEDGER_URL,
    key: given.KNOWLEDGER_API_KEY ?? given.KNOWLEDGER_BOOTSTRAP_KEY,
  },
});

/** The cluster that is searched, and how its indexes are named. */
const openSearch = ({ OPENSEARCH_URL: url, ...given }: Given) => {
  const { OPENSEARCH_AWS_REGION: region, OPENSEARCH_CA_FILE: file } = given;
  if (url === undefined) return undefined;
  if (region !== undefined && url.signIn !== undefined)
    throw new ConfigError('OPENSEARCH_AWS_REGION signs requests: leave the user out of OPENSEARCH_URL');
  const { OPENSEARCH_SHARDS: shards, OPENSEARCH_TENANT_SHARDS: tenantShards } = given;
  if (tenantShards > 1 && tenantShards >= shards)
    throw new ConfigError(
      `OPENSEARCH_TENANT_SHARDS must be less than OPENSEARCH_SHARDS, which is ${shards}, or 1: OpenSearch takes no other`,
    );
  return {
    address: {
      ...url,
      ...(region !== undefined && { signIn: { by: 'aws' as const, region } }),
      ...(file !== undefined && { authority: authorityIn(file) }),
    },
    prefix: given.OPENSEARCH_PREFIX,
    replicas: given.OPENSEARCH_REPLICAS,
    shards,
    tenantShards,
  };
};

const authorityIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`OPENSEARCH_CA_FILE cannot be read: ${(error as Error).message}`);
  }
};

const collector = ({ EVENTS_OTLP_URL: url, EVENTS_OTLP_HEADERS: headers }: Given) => {
  if (url !== undefined) return { url, headers };
  if (Object.keys(headers).length === 0) return undefined;
  throw new ConfigError('EVENTS_OTLP_HEADERS needs EVENTS_OTLP_URL, the address of the collector');
};

const masterKeyPrevious = ({
  KNOWLEDGER_MASTER_KEY: key,
  KNOWLEDGER_MASTER_KEY_PREVIOUS: previous,
}: Given) => {
  if (previous.length === 0 || key !== null) return previous;
  throw new ConfigError('KNOWLEDGER_MASTER_KEY_PREVIOUS needs KNOWLEDGER_MASTER_KEY, the one that is in use');
};

const eventStorePrefix = ({ EVENTSTORE_URL: url, EVENTSTORE_STREAM_PREFIX: prefix }: Given): string => {
  if (prefix === undefined || url !== undefined) return prefix ?? '';
  throw new ConfigError(
    'EVENTSTORE_STREAM_PREFIX needs EVENTSTORE_URL: events in Postgres have a database of their own',
  );
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
    `KNOWLEDGER_ROLES leaves out ${left.join(', ')}: set DATABASE_URL, because the embedded Postgres serves this process alone, and no process would do that work`,
  );
};

/** Every variable that the program reads, except those that AWS and OpenTelemetry libraries read themselves. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...Object.keys(LANGUAGE_MODEL).map((name) => `LLM_${name}`),
];

const PREFIX = 'KNOWLEDGER_';
const OF_TESTS = 'KNOWLEDGER_TEST_';
/** Variables that Kubernetes sets in every container next to a service whose name begins with `knowledger`. */
const OF_SERVICES = /_SERVICE_HOST$|_SERVICE_PORT(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * A misspelt variable would be ignored silently, and with it the setting.
 *
 * @throws ConfigError for an unknown KNOWLEDGER_ name, with the nearest known one; values are not repeated
 */
const refuseUnknownVariables = (env: Environment): void => {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !name.startsWith(PREFIX) || name.startsWith(OF_TESTS)) continue;
    if (KNOWN_VARIABLES.includes(name)) continue;
    if (OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value)) continue;
    throw new ConfigError(
      `${name} is not a variable of this program: did you mean ${nearest(name)}? Otherwise unset it`,
    );
  }
};

const nearest = (name: string): string => {
  const distance = (known: string): number =>
    editDistance(name.replace(PREFIX, ''), known.replace(PREFIX, ''), name.length);
  return KNOWN_VARIABLES.reduce((best, known) => (distance(known) < distance(best) ? known : best));
};
