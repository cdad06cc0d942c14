import { createAddressPolicy } from '../../adapters/crawler/address-policy.ts';
import { originProblem } from '../../adapters/http/cors.ts';
import { isModelName } from '../../adapters/local-model/weights/manifest.ts';
import {
  InvalidConnectionString,
  readConnectionString,
} from '../../adapters/eventstoredb/connection-string.ts';
import { InvalidOpenSearchUrl, readOpenSearchUrl } from '../../adapters/opensearch/address.ts';
import { type FilesAddress, InvalidFilesUrl, parseFilesUrl } from '../../adapters/storage/s3/files-url.ts';
import {
  ConfigError,
  decimal,
  integer,
  list,
  listOf,
  matching,
  oneOf,
  plainUrl,
  secret,
  text,
  url,
  type Values,
  type Variable,
} from './environment.ts';
import { headers } from './headers.ts';
import { issuerUrl, scopesByClaim } from './sign-in.ts';
import { witnesses } from './witnesses.ts';
import { masterKey, previousMasterKeys } from './given-master-key.ts';

/** The roles of a process. Any number of processes may have each role. */
export const ROLES = ['api', 'worker', 'projector', 'scheduler'] as const;
export type RoleName = (typeof ROLES)[number];

const roles: Variable<readonly RoleName[]> = (given, name) =>
  listOf(
    (item) => ROLES.some((role) => role === item),
    (of, wrong) => `${of} takes ${ROLES.join(', ')}, separated by commas, not ${wrong}`,
  )(given, name) as readonly RoleName[];

/** Validated here rather than when the crawler is made: by then databases are open. */
const allowAddresses: Variable<readonly string[]> = (given, name) => {
  const entries = list(given, name);
  try {
    createAddressPolicy(entries);
  } catch (error) {
    const example = 'such as 10.1.0.0/16,127.0.0.1:8080,localhost:8080';
    throw new ConfigError(
      `${name} takes CIDR or host:port, separated by commas, ${example}: ${(error as Error).message}`,
    );
  }
  return entries;
};

const corsOrigins: Variable<readonly string[]> = (given, name) => {
  const origins = list(given, name);
  if (origins.length === 1 && origins[0] === '*') return origins;
  for (const origin of origins) {
    const problem = originProblem(origin);
    if (problem === undefined) continue;
    throw new ConfigError(`${name}: ${JSON.stringify(origin.slice(0, 100))} ${problem}`);
  }
  return origins;
};

const publicUrl: Variable<string | undefined> = (given, name) => {
  const example = 'takes an address without credentials, query and fragment, like https://kb.example.com';
  const base = plainUrl(() => example)(given, name);
  if (base === undefined) return undefined;
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname}`.replace(/\/+$/, '');
};

/** Validated here, so that a start fails because of the wrong URL and not because of an unavailable event store. */
const eventStoreUrl: Variable<string | undefined> = (given, name) => {
  if (given === undefined) return undefined;
  try {
    readConnectionString(given);
    return given.trim();
  } catch (error) {
    throw error instanceof InvalidConnectionString ? new ConfigError(`${name}: ${error.message}`) : error;
  }
};

/** Also refuses a wrong URL before the start. */
const openSearchUrl: Variable<ReturnType<typeof readOpenSearchUrl> | undefined> = (given, name) => {
  try {
    return given === undefined ? undefined : readOpenSearchUrl(given);
  } catch (error) {
    throw error instanceof InvalidOpenSearchUrl ? new ConfigError(`${name}: ${error.message}`) : error;
  }
};

const filesUrl: Variable<FilesAddress | undefined> = (given, name) => {
  try {
    return given === undefined ? undefined : parseFilesUrl(given);
  } catch (error) {
    throw error instanceof InvalidFilesUrl ? new ConfigError(`${name} ${error.message}`) : error;
  }
};

const bootstrapKey: Variable<string | undefined> = (given, name) => {
  if (given === undefined || /^[\x21-\x7e]{20,200}$/.test(given)) return given;
  throw new ConfigError(`${name} takes 20 to 200 visible ASCII characters without spaces`);
};

/** Base URL of a source provider. Callers' secrets are sent to it. */
const sourcesUrl =
  (usual: string): Variable<string> =>
  (given, name) =>
    plainUrl(() => 'takes no credentials and no query: data sources name a secret of their own')(
      given,
      name,
    ) ?? usual;

export const providerUrl = plainUrl(
  (name) => `takes no credentials and no query: set ${name.replace(/_URL$/, '_API_KEY')}`,
);

export const MODEL_NAME = /^[\x21-\x7e]{1,200}$/;
export const modelName = matching(
  MODEL_NAME,
  'the name of a model, 1 to 200 visible ASCII characters without spaces',
);

const LOCAL = 'local:';
/** `local:<name>` is a model on this machine. */
const modelOrLocal: Variable<string | { readonly local: string } | undefined> = (given, name) => {
  if (given?.startsWith(LOCAL) !== true) return modelName(given, name);
  const local = given.slice(LOCAL.length);
  if (isModelName(local)) return { local };
  throw new ConfigError(
    `${name} takes local:<name> with a name as hubs have them, such as local:Xenova/multilingual-e5-small`,
  );
};

const claimOrName = matching(/^[\x20-\x7e]{1,200}$/, '1 to 200 visible ASCII characters');

/** Every variable with its valid values and its default. The variables of language models are in `models.ts`. */
export const VARIABLES = {
  PORT: integer(0, 65_535, 3_000),
  HOST: matching(/^[\w.:%-]{1,255}$/, 'an IP address or the name of a host', '127.0.0.1'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  EVENTSTORE_URL: eventStoreUrl,
  EVENTSTORE_STREAM_PREFIX: matching(
    /^[a-z][A-Za-z0-9_]{0,39}$/,
    'up to 40 letters, digits and underscores, the first a small letter, such as kb_',
  ),
  FILES_URL: filesUrl,
  OPENSEARCH_URL: openSearchUrl,
  OPENSEARCH_AWS_REGION: matching(/^[a-z0-9-]{1,50}$/, 'a region, such as eu-central-1'),
  OPENSEARCH_CA_FILE: text,
  OPENSEARCH_PREFIX: matching(
    /^[a-z][a-z0-9_-]{0,59}$/,
    'up to 60 small letters, digits, hyphens and underscores, the first a letter, such as kb',
    'knowledger',
  ),
  OPENSEARCH_REPLICAS: integer(0, 10, 1),
  OPENSEARCH_SHARDS: integer(1, 100, 1),
  OPENSEARCH_TENANT_SHARDS: integer(1, 99, 1),
  KNOWLEDGER_AGENT_MAX_COST: decimal(0, 1_000_000, 0),
  // A run may take an hour; the limit ends it before that.
  KNOWLEDGER_AGENT_MAX_SECONDS: integer(1, 3_540, 900),
  KNOWLEDGER_AGENT_MAX_STEPS: integer(1, 1_000, 30),
  KNOWLEDGER_AGENT_MAX_TOKENS: integer(1_000, 1_000_000_000, 1_000_000),
  KNOWLEDGER_AGENT_MAX_TOOL_CALLS: integer(1, 10_000, 100),
  KNOWLEDGER_AGENT_RUNTIME_ARNS: listOf(
    (item) => /^arn:[\x21-\x7e]{1,2044}$/.test(item),
    (name, wrong) => `${name} takes ARNs of runtimes, separated by commas, not ${wrong}`,
  ),
  KNOWLEDGER_AGENT_RUNTIME_QUALIFIER: matching(
    /^[\w-]{1,48}$/,
    'the name of an endpoint of the runtime, such as prod',
  ),
  KNOWLEDGER_AGENT_RUNTIME_REGION: matching(/^[a-z0-9-]{1,50}$/, 'a region, such as eu-central-1'),
  KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS: integer(1, 3_540),
  KNOWLEDGER_AGENT_RUNTIME_URL: plainUrl(
    () => 'takes no credentials and no query: requests are signed as the AWS SDK does',
  ),
  KNOWLEDGER_AGENT_SLOTS: integer(1, 1_000, 16),
  KNOWLEDGER_ALLOW_ADDRESSES: allowAddresses,
  KNOWLEDGER_API_KEY: text,
  KNOWLEDGER_AUTHZ: oneOf(['on', 'off'], 'off'),
  KNOWLEDGER_BOOTSTRAP_KEY: bootstrapKey,
  KNOWLEDGER_BROWSER: text,
  KNOWLEDGER_BROWSER_MEMORY_MB: integer(128, 16_384, 512),
  KNOWLEDGER_BROWSER_PAGES: integer(1, 32, 2),
  KNOWLEDGER_BROWSER_SANDBOX: oneOf(['on', 'off'], 'on'),
  KNOWLEDGER_CHECKPOINT_KEY: masterKey,
  // 0: only on demand.
  KNOWLEDGER_CHECKPOINT_MINUTES: integer(0, 10_080, 60),
  KNOWLEDGER_CHECKPOINT_ORIGIN: matching(
    /^[^\s+]{1,200}$/u,
    'a name without white space and +, such as kb.example.com/audit',
  ),
  KNOWLEDGER_CHAT_LINKS: oneOf(['on', 'off'], 'on'),
  KNOWLEDGER_CONSOLE: oneOf(['on', 'off'], 'on'),
  KNOWLEDGER_CORS_ORIGINS: corsOrigins,
  KNOWLEDGER_CRAWL_CONCURRENCY: integer(1, 64, 4),
  KNOWLEDGER_CRAWL_DELAY_MS: integer(0, 60_000, 0),
  KNOWLEDGER_CRAWL_MAX_BYTES: integer(1_024, 1_024 ** 3, 20 * 1_024 ** 2),
  KNOWLEDGER_CRAWL_TIMEOUT_MS: integer(100, 600_000, 30_000),
  KNOWLEDGER_DATABASE_CONNECTIONS: integer(4, 500, 24),
  KNOWLEDGER_DATA_DIR: text,
  KNOWLEDGER_DRAIN_MS: integer(0, 600_000),
  KNOWLEDGER_DRIVE_API_URL: sourcesUrl('https://www.googleapis.com'),
  KNOWLEDGER_DRIVE_TOKEN_URL: sourcesUrl('https://oauth2.googleapis.com/token'),
  KNOWLEDGER_EXTRACTION_MEMORY_MB: integer(256, 65_536, 1_024),
  KNOWLEDGER_EXTRACTION_TIMEOUT_MS: integer(1_000, 600_000, 60_000),
  KNOWLEDGER_EXTRACTORS: integer(1, 64, 2),
  KNOWLEDGER_FFMPEG: text,
  KNOWLEDGER_LEASE_SECONDS: integer(3, 3_600, 60),
  KNOWLEDGER_LOG_FORMAT: oneOf(['json', 'text']),
  KNOWLEDGER_LOG_LEVEL: oneOf(['info', 'warn', 'error'], 'info'),
  KNOWLEDGER_MASTER_KEY: masterKey,
  KNOWLEDGER_MASTER_KEY_PREVIOUS: previousMasterKeys,
  KNOWLEDGER_MCP_SERVERS: text,
  KNOWLEDGER_METRICS_PORT: integer(1, 65_535),
  KNOWLEDGER_MODEL_THREADS: integer(1, 64),
  KNOWLEDGER_PUBLIC_URL: publicUrl,
  KNOWLEDGER_REPOSITORY_API_URL: sourcesUrl('https://api.github.com'),
  KNOWLEDGER_ROLES: roles,
  KNOWLEDGER_SEARCH_MEMORY_MB: integer(16, 1_048_576),
  KNOWLEDGER_SEARCH_THREADS: integer(0, 64),
  KNOWLEDGER_URL: text,
  // RFC 9110, section 10.1.5; robots.txt identifies a crawler by the product name.
  KNOWLEDGER_USER_AGENT: matching(
    /^[\w!#$%&'*+.^`|~-]+(?:\/[\x21-\x7e]+)?(?: [\x20-\x7e]*)?$/,
    'product/version, and more in visible ASCII',
    'knowledgerbot/1.0',
  ),
  KNOWLEDGER_WIKI_API_URL: sourcesUrl('https://api.notion.com/v1'),
  KNOWLEDGER_WIKI_REQUESTS_PER_SECOND: decimal(0.1, 1_000, 3),
  KNOWLEDGER_WITNESSES: witnesses,
  KNOWLEDGER_WORKER_SLOTS: integer(1, 100, 4),
  EMBEDDINGS_URL: providerUrl,
  EMBEDDINGS_MODEL: modelOrLocal,
  EMBEDDINGS_API_KEY: secret,
  RERANK_URL: providerUrl,
  RERANK_MODEL: modelOrLocal,
  RERANK_API_KEY: secret,
  TRANSCRIPTION_URL: providerUrl,
  TRANSCRIPTION_MODEL: modelName,
  TRANSCRIPTION_API_KEY: secret,
  WEB_SEARCH_URL: providerUrl,
  WEB_SEARCH_API_KEY: secret,
  EVENTS_OTLP_URL: plainUrl(() => 'takes no credentials and no query: set EVENTS_OTLP_HEADERS'),
  EVENTS_OTLP_HEADERS: headers,
  OIDC_AUDIENCE: claimOrName,
  OIDC_CLIENT_ID: claimOrName,
  OIDC_ISSUER: issuerUrl,
  OIDC_REQUEST_SCOPES: matching(
    /^(?:[\x21\x23-\x5b\x5d-\x7e]+ )*openid(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'scopes of the issuer, separated by spaces, openid among them',
  ),
  OIDC_SCOPES: scopesByClaim,
  OIDC_SCOPES_CLAIM: claimOrName,
  OIDC_TENANT: claimOrName,
  OIDC_TENANT_CLAIM: claimOrName,
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']),
};
export type Given = Values<typeof VARIABLES>;
