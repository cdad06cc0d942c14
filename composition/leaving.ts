import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../application/ports/logger.ts';
import type { Databases } from './startup.ts';

/** What still holds a process that was told to stop while it started: a connection that is being made, at most. */
const LINGER_MS = 500;
/** After how long the process leaves whatever happens, beside `drainMs`; a start is not waited for so long. */
const LEAVE_MS = 9_000;
const LEAVE_START_MS = 2_500;
/** How long the embedded Postgres may take to stop when it is late already. */
const STOP_MS = 2_000;

export interface Leaving {
  readonly ms: number;
  readonly code: number;
  /** The last line of the log. */
  readonly why: string;
}

/** `started`: it was ready to serve once. `failure`: what else than a signal ended it. */
export const leavingOf = (
  signal: AbortSignal,
  { started }: { readonly started: boolean },
  drainMs: number,
  failure: Error | undefined,
): Leaving => {
  if (!signal.aborted) return { ms: LEAVE_MS, code: 1, why: `knowledger: ${failure?.message ?? 'ended'}` };
  return started
    ? { ms: drainMs + LEAVE_MS, code: 1, why: 'stopped by force' }
    : { ms: LEAVE_START_MS, code: 0, why: 'stopped while starting' };
};

/**
 * Ends the process after `ms`, whatever still holds it: `npm stop`, systemd and container runtimes do not wait for ever.
 * The embedded Postgres is stopped before that, so that nothing is left behind.
 */
export const leaveAfter = (
  { ms, code, why }: Leaving,
  databases: Pick<Databases, 'stopServer'>,
  log: Logger,
): { readonly cancel: () => void } => {
  const leave = async (): Promise<void> => {
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
  const timer = setTimeout(() => void leave(), ms).unref();
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
