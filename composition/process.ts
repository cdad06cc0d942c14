import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { createLogger } from '../adapters/system/console-logger.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config/config.ts';
import type { Databases } from './databases.ts';

/** The version in package.json. */
export const programVersion = (): string => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

/** The process log, on stderr: stdout is for the output that users asked for. */
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
  /** Aborts at the same time. */
  readonly signal: AbortSignal;
}

/** Interval of the check whether the parent process is still running. */
const POLL_MS = 1_000;

/**
 * The first SIGINT or SIGTERM stops in good order, the second at once. A service that npm has started also stops in
 * good order when its parent exits: npm forwards a signal to the shell between them, which dies of it and does not
 * forward it.
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

/** The system gives an orphan another parent. On Windows it does not, and the callback never runs. */
const whenParentGoes = (over: AbortSignal, then: () => void): void => {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    then();
  }, POLL_MS).unref();
  over.addEventListener('abort', () => clearInterval(looking), { once: true });
};

/** How long an aborted start may keep the process alive, for example by a connection attempt. */
const LINGER_MS = 500;
/** The process exits after this time whatever happens, in addition to `drainMs`; an aborted start gets less. */
const EXIT_MS = 9_000;
const EXIT_START_MS = 2_500;
/** How long the embedded Postgres may take to stop after that. */
const STOP_MS = 2_000;

export interface Exit {
  readonly ms: number;
  readonly code: number;
  /** The last line of the log. */
  readonly why: string;
}

/** `started`: the service was ready once. `failure`: the reason when it is not a signal. */
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
 * Ends the process after `ms`, whatever keeps it alive: `npm stop`, systemd and container runtimes do not wait for
 * ever. Stops the embedded Postgres first, so that nothing is left behind.
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
    // The exit handler of this process signals a server that does not react once more.
    await Promise.race([stopped, delay(STOP_MS)]);
    if (code === 0) log.info(why);
    else log.error(why);
    process.exit(code);
  };
  const timer = setTimeout(() => void exit(), ms).unref();
  return { cancel: () => clearTimeout(timer) };
};

/** Null when the signal aborted the start; the process then ends, whatever keeps it alive. */
export const whileStarting = async <T>(signal: AbortSignal, start: () => Promise<T>): Promise<T | null> => {
  try {
    return await start();
  } catch (error) {
    if (!signal.aborted) throw error;
    setTimeout(() => process.exit(0), LINGER_MS).unref();
    return null;
  }
};
