import { resolve } from 'node:path';
import { createAddressPolicy } from '../adapters/crawler/address-policy.ts';
import { originProblem } from '../adapters/http/cors.ts';
import type { FilesAddress } from '../adapters/storage/s3/files-url.ts';
import { type AgentsConfig, readAgents } from './agents-config.ts';
import { type BrowserConfig, readBrowser } from './browser-config.ts';
import { ConfigError, type Environment, integer, list, matching, oneOf, url } from './environment.ts';
import { type EmbeddingsConfig, readEmbeddings } from './embeddings-config.ts';
import { refuseUnknownVariables } from './known-variables.ts';
import { type LanguageModelConfig, readLanguageModel } from './language-model-config.ts';
import { readRerank, type RerankConfig } from './rerank-config.ts';
import { readSearch, type SearchConfig } from './search-config.ts';
import { readTranscription, type TranscriptionConfig } from './transcription-config.ts';
import { readWebSearch, type WebSearchConfig } from './web-search-config.ts';
import { readProviderUrl } from './provider-url.ts';
import { readWikis, type WikiConfig } from './wiki-config.ts';
import { ROLES, type RoleName } from './roles.ts';
import { readTelemetry, type TelemetryConfig } from './telemetry-config.ts';
import {
  readBootstrapKey,
  readEventStoreUrl,
  readFiles,
  readMasterKey,
  readPreviousMasterKeys,
} from './stores-config.ts';
import type { GivenMasterKey } from './wrapped-master-key.ts';

export { ConfigError, type Environment } from './environment.ts';

/** Everything that may be set from outside. `docs/configuration.md` lists the variables. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** What this process does. */
  readonly roles: ReadonlySet<RoleName>;
  readonly databaseUrl: string | undefined;
  /** Connections of this process that queries share; a few more listen and hold locks. */
  readonly databaseConnections: number;
  readonly eventStoreUrl: string | undefined;
  /** Where files lie; undefined: in the data directory. */
  readonly files: FilesAddress | undefined;
  /** How long requests are still taken after a signal to stop. */
  readonly drainMs: number;
  readonly bootstrapKey: string | undefined;
  /** Null: the one in the data directory, if any. */
  readonly masterKey: GivenMasterKey | null;
  /** Others that are read with: before and after a rotation. */
  readonly masterKeyPrevious: readonly GivenMasterKey[];
  readonly allowAddresses: readonly string[];
  /** Origins whose pages may read answers; `*` alone: all. */
  readonly corsOrigins: readonly string[];
  /** Where clients reach the service, without a slash at its end; undefined: where each has asked. */
  readonly publicUrl: string | undefined;
  /** Work at data sources at once. */
  readonly workerSlots: number;
  /** Runs of agents at once. */
  readonly agentSlots: number;
  /** How long the work of a worker that died waits for another one. */
  readonly leaseMs: number;
  /** Whether reads of documents are judged by authz policies. */
  readonly authz: boolean;
  readonly crawl: {
    readonly concurrency: number;
    readonly delayMs: number;
    readonly maxBytes: number;
    /** For one page with all its redirects. */
    readonly timeoutMs: number;
    readonly userAgent: string;
  };
  /** For crawls with `use_browser`. */
  readonly browser: BrowserConfig;
  readonly repository: {
    /** Base of the API of the host that repositories are on. */
    readonly apiUrl: string;
  };
  readonly drive: {
    /** Base of the Drive API. */
    readonly apiUrl: string;
    /** Where its access tokens come from. */
    readonly tokenUrl: string;
  };
  readonly wiki: WikiConfig;
  readonly extraction: {
    readonly processes: number;
    /** For one document. */
    readonly timeMs: number;
    readonly memoryBytes: number;
  };
  /** Undefined: answers are sentences of the contents. */
  readonly languageModel: LanguageModelConfig | undefined;
  /** Undefined: search is by words alone. */
  readonly embeddings: EmbeddingsConfig | undefined;
  /** Undefined: `rerank` is refused. */
  readonly rerank: RerankConfig | undefined;
  /** Of each process of a model of this machine; undefined: half of the processors. */
  readonly modelThreads: number | undefined;
  /** Undefined: what recordings say is not read. */
  readonly transcription: TranscriptionConfig | undefined;
  /** Undefined: no answer is grounded on the web. */
  readonly search: SearchConfig;
  readonly webSearch: WebSearchConfig | undefined;
  readonly agents: AgentsConfig;
  readonly log: { readonly format: 'json' | 'text'; readonly level: 'info' | 'warn' | 'error' };
  readonly telemetry: TelemetryConfig;
  readonly metricsPort: number | undefined;
}

/** @throws ConfigError */
export const readConfig = (env: Environment, terminal: boolean): Config => {
  refuseUnknownVariables(env);
  return readKnown(env, terminal);
};

const readKnown = (env: Environment, terminal: boolean): Config => ({
  host: matching(env, 'HOST', '127.0.0.1', /^[\w.:%-]{1,255}$/, 'an IP address or the name of a host'),
  port: integer(env, 'PORT', 3000, 0, 65_535),
  dataDir: resolve(env['KNOWLEDGER_DATA_DIR'] || './data'),
  roles: roles(env),
  databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
  databaseConnections: integer(env, 'KNOWLEDGER_DATABASE_CONNECTIONS', 24, 4, 500),
  eventStoreUrl: readEventStoreUrl(env),
  files: readFiles(env),
  drainMs: integer(env, 'KNOWLEDGER_DRAIN_MS', terminal ? 0 : 3_000, 0, 600_000),
  bootstrapKey: readBootstrapKey(env),
  masterKey: readMasterKey(env),
  masterKeyPrevious: readPreviousMasterKeys(env),
  allowAddresses: allowAddresses(env),
  corsOrigins: corsOrigins(env),
  publicUrl: publicUrl(env),
  leaseMs: 1_000 * integer(env, 'KNOWLEDGER_LEASE_SECONDS', 60, 3, 3_600),
  workerSlots: integer(env, 'KNOWLEDGER_WORKER_SLOTS', 4, 1, 100),
  agentSlots: integer(env, 'KNOWLEDGER_AGENT_SLOTS', 16, 1, 1_000),
  authz: oneOf(env, 'KNOWLEDGER_AUTHZ', ['on', 'off'], 'off') === 'on',
  crawl: {
    concurrency: integer(env, 'KNOWLEDGER_CRAWL_CONCURRENCY', 4, 1, 64),
    delayMs: integer(env, 'KNOWLEDGER_CRAWL_DELAY_MS', 0, 0, 60_000),
    maxBytes: integer(env, 'KNOWLEDGER_CRAWL_MAX_BYTES', 20 * 1024 * 1024, 1024, 1024 ** 3),
    timeoutMs: integer(env, 'KNOWLEDGER_CRAWL_TIMEOUT_MS', 30_000, 100, 600_000),
    userAgent: matching(
      env,
      'KNOWLEDGER_USER_AGENT',
      'knowledgerbot/1.0',
      PRODUCT,
      'product/version, and more in visible ASCII',
    ),
  },
  repository: { apiUrl: readProviderUrl(env, 'KNOWLEDGER_REPOSITORY_API_URL', 'https://api.github.com') },
  drive: {
    apiUrl: readProviderUrl(env, 'KNOWLEDGER_DRIVE_API_URL', 'https://www.googleapis.com'),
    tokenUrl: readProviderUrl(env, 'KNOWLEDGER_DRIVE_TOKEN_URL', 'https://oauth2.googleapis.com/token'),
  },
  wiki: readWikis(env),
  browser: readBrowser(env),
  extraction: {
    processes: integer(env, 'KNOWLEDGER_EXTRACTORS', 2, 1, 64),
    timeMs: integer(env, 'KNOWLEDGER_EXTRACTION_TIMEOUT_MS', 60_000, 1_000, 600_000),
    memoryBytes: integer(env, 'KNOWLEDGER_EXTRACTION_MEMORY_MB', 1_024, 256, 65_536) * 1_024 ** 2,
  },
  languageModel: readLanguageModel(env),
  embeddings: readEmbeddings(env),
  rerank: readRerank(env),
  modelThreads: env['KNOWLEDGER_MODEL_THREADS']
    ? integer(env, 'KNOWLEDGER_MODEL_THREADS', 1, 1, 64)
    : undefined,
  transcription: readTranscription(env),
  search: readSearch(env),
  webSearch: readWebSearch(env),
  agents: readAgents(env),
  log: {
    format: oneOf(env, 'KNOWLEDGER_LOG_FORMAT', ['json', 'text'], terminal ? 'text' : 'json'),
    level: oneOf(env, 'KNOWLEDGER_LOG_LEVEL', ['info', 'warn', 'error'], 'info'),
  },
  telemetry: readTelemetry(env),
  metricsPort: metricsPort(env),
});

/** RFC 9110, section 10.1.5; robots.txt knows a crawler by the product's name. */
const PRODUCT = /^[\w!#$%&'*+.^`|~-]+(?:\/[\x21-\x7e]+)?(?: [\x20-\x7e]*)?$/;

/** Refused here, and not when the crawler is made: by then databases are open. */
const allowAddresses = (env: Environment): readonly string[] => {
  const entries = list(env, 'KNOWLEDGER_ALLOW_ADDRESSES');
  try {
    createAddressPolicy(entries);
  } catch (error) {
    const example = 'such as 10.1.0.0/16,127.0.0.1:8080,localhost:8080';
    throw new ConfigError(
      `KNOWLEDGER_ALLOW_ADDRESSES takes CIDR or host:port, separated by commas, ${example}: ${(error as Error).message}`,
    );
  }
  return entries;
};

const corsOrigins = (env: Environment): readonly string[] => {
  const origins = list(env, 'KNOWLEDGER_CORS_ORIGINS');
  if (origins.length === 1 && origins[0] === '*') return origins;
  for (const origin of origins) {
    const problem = originProblem(origin);
    if (problem === undefined) continue;
    throw new ConfigError(`KNOWLEDGER_CORS_ORIGINS: ${JSON.stringify(origin.slice(0, 100))} ${problem}`);
  }
  return origins;
};

const publicUrl = (env: Environment): string | undefined => {
  const name = 'KNOWLEDGER_PUBLIC_URL';
  const base = url(env, name, ['http:', 'https:']);
  if (base === undefined) return undefined;
  const { origin, pathname, username, password, search, hash } = new URL(base);
  if (`${username}${password}${search}${hash}` === '') return `${origin}${pathname}`.replace(/\/+$/, '');
  throw new ConfigError(
    `${name} takes an address without credentials, query and fragment, like https://kb.example.com`,
  );
};

const metricsPort = (env: Environment): number | undefined => {
  if (!env['KNOWLEDGER_METRICS_PORT']) return undefined;
  const port = integer(env, 'KNOWLEDGER_METRICS_PORT', 9464, 1, 65_535);
  if (port !== integer(env, 'PORT', 3000, 0, 65_535)) return port;
  throw new ConfigError(`KNOWLEDGER_METRICS_PORT takes a port of its own, not that of PORT: ${port}`);
};

const roles = (env: Environment): ReadonlySet<RoleName> => {
  const names = list(env, 'KNOWLEDGER_ROLES');
  if (names.length === 0) return new Set(ROLES);
  const unknown = names.find((name) => !ROLES.some((role) => role === name));
  if (unknown !== undefined)
    throw new ConfigError(
      `KNOWLEDGER_ROLES takes ${ROLES.join(', ')}, separated by commas, not "${unknown}"`,
    );
  const given = new Set(names as readonly RoleName[]);
  const left = ROLES.filter((role) => !given.has(role));
  if (left.length > 0 && !env['DATABASE_URL']) {
    throw new ConfigError(
      `KNOWLEDGER_ROLES leaves out ${left.join(', ')}: set DATABASE_URL, because the embedded Postgres serves this process alone, and nobody would do that work`,
    );
  }
  return given;
};
