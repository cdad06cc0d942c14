import { ConfigError, type Environment } from './environment.ts';

/** Every variable that the program reads, but for those that AWS and OpenTelemetry read by themselves. */
export const KNOWN_VARIABLES = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'FILES_URL',
  'KNOWLEDGER_AGENT_MAX_COST',
  'KNOWLEDGER_AGENT_MAX_SECONDS',
  'KNOWLEDGER_AGENT_MAX_STEPS',
  'KNOWLEDGER_AGENT_MAX_TOKENS',
  'KNOWLEDGER_AGENT_MAX_TOOL_CALLS',
  'KNOWLEDGER_AGENT_RUNTIME_ARNS',
  'KNOWLEDGER_AGENT_RUNTIME_QUALIFIER',
  'KNOWLEDGER_AGENT_RUNTIME_REGION',
  'KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS',
  'KNOWLEDGER_AGENT_RUNTIME_URL',
  'KNOWLEDGER_AGENT_SLOTS',
  'KNOWLEDGER_ALLOW_ADDRESSES',
  'KNOWLEDGER_API_KEY',
  'KNOWLEDGER_AUTHZ',
  'KNOWLEDGER_BOOTSTRAP_KEY',
  'KNOWLEDGER_BROWSER',
  'KNOWLEDGER_BROWSER_MEMORY_MB',
  'KNOWLEDGER_BROWSER_PAGES',
  'KNOWLEDGER_BROWSER_SANDBOX',
  'KNOWLEDGER_CORS_ORIGINS',
  'KNOWLEDGER_CRAWL_CONCURRENCY',
  'KNOWLEDGER_CRAWL_DELAY_MS',
  'KNOWLEDGER_CRAWL_MAX_BYTES',
  'KNOWLEDGER_CRAWL_TIMEOUT_MS',
  'KNOWLEDGER_DATABASE_CONNECTIONS',
  'KNOWLEDGER_DATA_DIR',
  'KNOWLEDGER_DRAIN_MS',
  'KNOWLEDGER_DRIVE_API_URL',
  'KNOWLEDGER_DRIVE_TOKEN_URL',
  'KNOWLEDGER_EXTRACTION_MEMORY_MB',
  'KNOWLEDGER_EXTRACTION_TIMEOUT_MS',
  'KNOWLEDGER_EXTRACTORS',
  'KNOWLEDGER_LEASE_SECONDS',
  'KNOWLEDGER_LOG_FORMAT',
  'KNOWLEDGER_LOG_LEVEL',
  'KNOWLEDGER_MASTER_KEY',
  'KNOWLEDGER_MASTER_KEY_PREVIOUS',
  'KNOWLEDGER_MCP_SERVERS',
  'KNOWLEDGER_METRICS_PORT',
  'KNOWLEDGER_MODEL_THREADS',
  'KNOWLEDGER_PUBLIC_URL',
  'KNOWLEDGER_REPOSITORY_API_URL',
  'KNOWLEDGER_ROLES',
  'KNOWLEDGER_SEARCH_MEMORY_MB',
  'KNOWLEDGER_SEARCH_THREADS',
  'KNOWLEDGER_URL',
  'KNOWLEDGER_USER_AGENT',
  'KNOWLEDGER_WIKI_API_URL',
  'KNOWLEDGER_WIKI_REQUESTS_PER_SECOND',
  'KNOWLEDGER_WORKER_SLOTS',
  'LLM_PROVIDER',
  'LLM_URL',
  'LLM_MODEL',
  'LLM_MODELS',
  'LLM_API_KEY',
  'LLM_CONTEXT_TOKENS',
  'LLM_MAX_TOKENS',
  'LLM_MAX_TEMPERATURE',
  'LLM_PRICE_INPUT',
  'LLM_PRICE_OUTPUT',
  'EMBEDDINGS_URL',
  'EMBEDDINGS_MODEL',
  'EMBEDDINGS_API_KEY',
  'RERANK_URL',
  'RERANK_MODEL',
  'RERANK_API_KEY',
  'TRANSCRIPTION_URL',
  'TRANSCRIPTION_MODEL',
  'TRANSCRIPTION_API_KEY',
  'KNOWLEDGER_FFMPEG',
  'WEB_SEARCH_URL',
  'WEB_SEARCH_API_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
] as const;

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
export const refuseUnknownVariables = (env: Environment): void => {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !name.startsWith(PREFIX) || name.startsWith(OF_TESTS)) continue;
    if (KNOWN_VARIABLES.some((known) => known === name)) continue;
    if (OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value)) continue;
    throw new ConfigError(`${name} is no variable of this program: is ${nearest(name)} meant? Else unset it`);
  }
};

const nearest = (name: string): string => {
  const distance = (known: string): number => edits(bare(name), bare(known));
  return KNOWN_VARIABLES.reduce<string>(
    (best, known) => (distance(known) < distance(best) ? known : best),
    KNOWN_VARIABLES[0],
  );
};

const bare = (name: string): string => name.replace(PREFIX, '');

/** How many characters must be added, left out or replaced to make one text the other. */
const edits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (to[j - 1] === character ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[to.length]!;
};
