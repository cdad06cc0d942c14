import { resolve } from 'node:path';

/** Everything that may be set from outside. `README.md` lists the variables. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly bootstrapKey: string | undefined;
  readonly allowAddresses: readonly string[];
  readonly workerSlots: number;
  readonly crawl: {
    readonly concurrency: number;
    readonly delayMs: number;
    readonly maxBytes: number;
    /** For one page with all its redirects. */
    readonly timeoutMs: number;
    readonly userAgent: string;
  };
  readonly extraction: {
    readonly processes: number;
    /** For one document. */
    readonly timeMs: number;
    readonly memoryBytes: number;
  };
  readonly log: { readonly format: 'json' | 'text'; readonly level: 'info' | 'warn' | 'error' };
  readonly otlpEndpoint: string | undefined;
  readonly metricsPort: number | undefined;
}

/** A variable that cannot be used; the message names it and says what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = { readonly [name: string]: string | undefined };

/** @throws ConfigError */
export const readConfig = (env: Environment, terminal: boolean): Config => ({
  host: env['HOST'] || '127.0.0.1',
  port: integer(env, 'PORT', 3000, 0, 65_535),
  dataDir: resolve(env['KNOWLEDGER_DATA_DIR'] || './data'),
  databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
  bootstrapKey: bootstrapKey(env),
  allowAddresses: list(env, 'KNOWLEDGER_ALLOW_ADDRESSES'),
  workerSlots: integer(env, 'KNOWLEDGER_WORKER_SLOTS', 4, 1, 100),
  crawl: {
    concurrency: integer(env, 'KNOWLEDGER_CRAWL_CONCURRENCY', 4, 1, 64),
    delayMs: integer(env, 'KNOWLEDGER_CRAWL_DELAY_MS', 0, 0, 60_000),
    maxBytes: integer(env, 'KNOWLEDGER_CRAWL_MAX_BYTES', 20 * 1024 * 1024, 1024, 1024 ** 3),
    timeoutMs: integer(env, 'KNOWLEDGER_CRAWL_TIMEOUT_MS', 30_000, 100, 600_000),
    userAgent: env['KNOWLEDGER_USER_AGENT'] || 'knowledgerbot/1.0',
  },
  extraction: {
    processes: integer(env, 'KNOWLEDGER_EXTRACTORS', 2, 1, 64),
    timeMs: integer(env, 'KNOWLEDGER_EXTRACTION_TIMEOUT_MS', 60_000, 1_000, 600_000),
    memoryBytes: integer(env, 'KNOWLEDGER_EXTRACTION_MEMORY_MB', 1_024, 256, 65_536) * 1_024 ** 2,
  },
  log: {
    format: oneOf(env, 'KNOWLEDGER_LOG_FORMAT', ['json', 'text'], terminal ? 'text' : 'json'),
    level: oneOf(env, 'KNOWLEDGER_LOG_LEVEL', ['info', 'warn', 'error'], 'info'),
  },
  otlpEndpoint: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
  metricsPort: env['KNOWLEDGER_METRICS_PORT']
    ? integer(env, 'KNOWLEDGER_METRICS_PORT', 9464, 1, 65_535)
    : undefined,
});

const integer = (env: Environment, name: string, fallback: number, least: number, most: number): number => {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new ConfigError(`${name} takes a whole number from ${least} to ${most}, not "${text}"`);
};

const oneOf = <T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T => {
  const text = env[name] || fallback;
  const value = values.find((known) => known === text);
  if (value === undefined) throw new ConfigError(`${name} takes ${values.join(' or ')}, not "${text}"`);
  return value;
};

const list = (env: Environment, name: string): readonly string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The value may hold a password: it is never repeated in a message. */
const url = (env: Environment, name: string, schemes: readonly string[]): string | undefined => {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (schemes.includes(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError(
    `${name} takes a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  );
};

const bootstrapKey = (env: Environment): string | undefined => {
  const key = env['KNOWLEDGER_BOOTSTRAP_KEY'];
  if (key === undefined || key === '') return undefined;
  if (/^[\x21-\x7e]{20,200}$/.test(key)) return key;
  throw new ConfigError('KNOWLEDGER_BOOTSTRAP_KEY takes 20 to 200 visible ASCII characters without spaces');
};
