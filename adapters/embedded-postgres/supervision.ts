import type { ServerProcess } from './server-process.ts';

/** Uptime after which the next exit counts as a new outage. */
const STABLE_UPTIME_MS = 5_000;
/** How long restarts are attempted. */
const OUTAGE_LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_BACKOFF_MS = 5_000;

export interface SupervisionDeps {
  /**
   * Makes one attempt to restart the server on its port. Rejects with the reason, and soon after the signal
   * aborts.
   */
  readonly restart: (signal: AbortSignal) => Promise<ServerProcess>;
  readonly clock: { readonly now: () => number };
  /** Waits for `ms` or until the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The last lines of the server's log. */
  readonly recentLog: () => Promise<string>;
  /** Logs every exit, every failed restart and every recovery. */
  readonly warn: (line: string) => void;
}

export interface Supervision {
  /**
   * Resolves with the reason if the server has exited and could not be restarted for a minute. Never rejects.
   */
  readonly lost: Promise<Error>;
  /** Ends the supervision, not the server: nothing is restarted afterwards. */
  readonly end: () => Promise<void>;
}

/**
 * Restarts a server that has exited, first at once and then after pauses of 0.25 s to 5 s. A server that
 * exits again within seconds does not count as recovered: the same outage continues.
 */
export const supervise = (server: ServerProcess, deps: SupervisionDeps): Supervision => {
  const { promise: lost, resolve } = Promise.withResolvers<Error>();
  const ending = new AbortController();
  const watching = (async () => {
    const failure = await watch(server, deps, ending.signal);
    if (failure === null) return;
    // Log this first: the shutdown that follows may not complete.
    deps.warn(failure.message);
    resolve(failure);
  })();
  return {
    lost,
    end: () => {
      ending.abort();
      return watching;
    },
  };
};

/** Returns null if the supervision was ended. */
const watch = async (
  first: ServerProcess,
  deps: SupervisionDeps,
  signal: AbortSignal,
): Promise<Error | null> => {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  let [server, upAt] = [first, deps.clock.now()];
  let outage = newOutage(upAt);
  for (;;) {
    const exitReason = await Promise.race([aborted, server.ended]);
    if (exitReason === null || signal.aborted) return null;
    if (deps.clock.now() - upAt >= STABLE_UPTIME_MS) outage = newOutage(deps.clock.now());
    else if (isExpired(deps, outage))
      return outageError(deps, outage, `it ${exitReason} again\n${await deps.recentLog()}`);
    deps.warn(`the embedded Postgres ${exitReason}: starting it again`);
    const next = await restartServer(deps, outage, signal);
    if (next === null || next instanceof Error) return next;
    deps.warn('the embedded Postgres runs again');
    [server, upAt] = [next, deps.clock.now()];
  }
};

interface Outage {
  readonly since: number;
  attempts: number;
}
const newOutage = (since: number): Outage => ({ since, attempts: 0 });

const restartServer = async (
  deps: SupervisionDeps,
  outage: Outage,
  signal: AbortSignal,
): Promise<ServerProcess | Error | null> => {
  const { restart, sleep, warn } = deps;
  for (;;) {
    await sleep(pauseBefore(outage.attempts++), signal);
    if (signal.aborted) return null;
    try {
      return await restart(signal);
    } catch (error) {
      if (signal.aborted) return null;
      const { message } = error as Error;
      if (isExpired(deps, outage)) return outageError(deps, outage, message);
      warn(`the embedded Postgres cannot be started again yet: ${message}`);
    }
  }
};

const isExpired = ({ clock }: SupervisionDeps, { since }: Outage): boolean =>
  clock.now() - since >= OUTAGE_LIMIT_MS;

const outageError = ({ clock }: SupervisionDeps, { since }: Outage, why: string): Error => {
  const seconds = Math.round((clock.now() - since) / 1_000);
  return new Error(`the embedded Postgres exited and could not be restarted within ${seconds} s: ${why}`);
};

const pauseBefore = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
