import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { createLogger } from '../adapters/system/console-logger.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config/config.ts';
import type { Databases } from './databases.ts';

/** Of this program, as its package has it. */
export const programVersion = (): string => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

/** The log of the process, on stderr: stdout is for what people asked to see. */
export const createLog = ({ log }: Pick<Config, 'log'>): Logger =>
  createLogger({
    write: (line) => process.stderr.write(`${line}\n`),
    trace: activeTrace,
    format: log.format,
    minLevel: log.level,
  });

const activeTrace = (): { readonly trace_id: string; readonly span_id: string } | undefined => {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? undefined : { trace_id: span.traceId, span_id: span.spanId };
};

export interface StopSignal {
  /** Resolves with what told the service to stop. */
  readonly received: Promise<string>;
  /** Aborts then. */
  readonly signal: AbortSignal;
}

/** How often it is looked whether the parent is still there. */
const POLL_MS = 1_000;

/**
 * The first SIGINT or SIGTERM stops in good order, the second at once. A service that npm has started stops in good
 * order too when its parent goes: npm hands a signal on to the shell between the two, which dies of it and tells nobody.
 */
export const stopSignal = (log: Logger): StopSignal => {
  const controller = new AbortController();
  const { promise: received, resolve } = Promise.withResolvers<string>();
  const stop = (why: string): void => {
    log.info(`${why}: stopping, once more to stop at once`);
    controller.abort();
    resolve(why);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) return stop(name);
      log.warn(`stopped at once by a second ${name}`);
      process.exit(1);
    });
  }
  if (process.env['npm_lifecycle_event'] !== undefined) {
    whenParentGoes(controller.signal, () => stop('npm is gone'));
  }
  return { received, signal: controller.signal };
};

/** Of an orphan, the system changes the parent. On Windows it does not, and this never comes. */
const whenParentGoes = (over: AbortSignal, then: () => void): void => {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    then();
  }, POLL_MS).unref();
  over.addEventListener('abort', () => clearInterval(looking), { once: true });
};

/** What still holds a process that was told to stop while it started: a connection that is being made, at most. */
const LINGER_MS = 500;
/** After how long the process ends whatever happens, beside `drainMs`; a start is not waited for so long. */
const EXIT_MS = 9_000;
const EXIT_START_MS = 2_500;
/** How long the embedded Postgres may take to stop when it is late already. */
const STOP_MS = 2_000;

export interface Exit {
  readonly ms: number;
  readonly code: number;
  /** The last line of the log. */
  readonly why: string;
}

/** `started`: it was ready to serve once. `failure`: what else than a signal ended it. */
export const exitOf = (
  signal: AbortSignal,
  { started }: { readonly started: boolean },
  drainMs: number,
  failure: Error | undefined,
): Exit => {
  if (!signal.aborted) return { ms: EXIT_MS, code: 1, why: `knowledger: ${failure?.message ?? 'ended'}` };
  return started
    ? { ms: drainMs + EXIT_MS, code: 1, why: 'stopped by force' }
    : { ms: EXIT_START_MS, code: 0, why: 'stopped while starting' };
};

/**
 * Ends the process after `ms`, whatever still holds it: `npm stop`, systemd and container runtimes do not wait for ever.
 * The embedded Postgres is stopped before that, so that nothing is left behind.
 */
export const exitAfter = (
  { ms, code, why }: Exit,
  databases: Pick<Databases, 'stopServer'>,
  log: Logger,
): { readonly cancel: () => void } => {
  const exit = async (): Promise<void> => {
    log.warn('the stop takes too long: leaving without what is still under way', { after_ms: ms });
    const stopped = databases.stopServer().catch((error: Error) => {
      log.error('the embedded Postgres does not stop', { error: error.message });
    });
    // One that is silent is told once more when this process exits.
    await Promise.race([stopped, delay(STOP_MS)]);
    if (code === 0) log.info(why);
    else log.error(why);
    process.exit(code);
  };
  const timer = setTimeout(() => void exit(), ms).unref();
  return { cancel: () => clearTimeout(timer) };
};

/** Null when the start was given up because of the signal; the process then ends, whatever still holds it. */
export const whileStarting = async <T>(signal: AbortSignal, start: () => Promise<T>): Promise<T | null> => {
  try {
    return await start();
  } catch (error) {
    if (!signal.aborted) throw error;
    setTimeout(() => process.exit(0), LINGER_MS).unref();
    return null;
  }
};
