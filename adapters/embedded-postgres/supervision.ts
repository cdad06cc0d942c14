import type { ServerProcess } from './running.ts';

/** How long a server must have lived for its next end to count as a new outage. */
const STEADY_MS = 5_000;
/** For how long it is tried to start it again. */
const OUTAGE_LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface SupervisionDeps {
  /** Starts it where it was, once. Rejects with the reason when it cannot, and soon when the signal aborts. */
  readonly restart: (signal: AbortSignal) => Promise<ServerProcess>;
  readonly clock: { readonly now: () => number };
  /** Waits, or until aborted; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What the server has logged last. */
  readonly lastWords: () => Promise<string>;
  /** Each end, each failed try, and that it runs again. */
  readonly warn: (line: string) => void;
}

export interface Supervision {
  /** Resolves when the server is gone and could not be had again for a minute, with why. Never rejects. */
  readonly lost: Promise<Error>;
  /** Ends the supervision, not the server: afterwards nothing is started any more. */
  readonly end: () => Promise<void>;
}

/**
 * Starts a server again that has ended, at once and then after pauses of 0.25 s to 5 s. One that ends again within
 * seconds has not been had: its time goes on.
 */
export const supervise = (server: ServerProcess, deps: SupervisionDeps): Supervision => {
  const { promise: lost, resolve } = Promise.withResolvers<Error>();
  const ending = new AbortController();
  const watching = (async () => {
    const failure = await watch(server, deps, ending.signal);
    if (failure === null) return;
    // At once: what follows is a stop, which may not come to its end.
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

/** Null when it was told to end. */
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
    const how = await Promise.race([aborted, server.ended]);
    if (how === null || signal.aborted) return null;
    if (deps.clock.now() - upAt >= STEADY_MS) outage = newOutage(deps.clock.now());
    else if (isOver(deps, outage)) return given(deps, outage, `it ${how} again\n${await deps.lastWords()}`);
    deps.warn(`the embedded Postgres ${how}: starting it again`);
    const next = await startAgain(deps, outage, signal);
    if (next === null || next instanceof Error) return next;
    deps.warn('the embedded Postgres runs again');
    [server, upAt] = [next, deps.clock.now()];
  }
};

interface Outage {
  readonly since: number;
  tries: number;
}
const newOutage = (since: number): Outage => ({ since, tries: 0 });

const startAgain = async (
  deps: SupervisionDeps,
  outage: Outage,
  signal: AbortSignal,
): Promise<ServerProcess | Error | null> => {
  const { restart, sleep, warn } = deps;
  for (;;) {
    await sleep(pauseBefore(outage.tries++), signal);
    if (signal.aborted) return null;
    try {
      return await restart(signal);
    } catch (error) {
      if (signal.aborted) return null;
      const { message } = error as Error;
      if (isOver(deps, outage)) return given(deps, outage, message);
      warn(`the embedded Postgres cannot be started again yet: ${message}`);
    }
  }
};

const isOver = ({ clock }: SupervisionDeps, { since }: Outage): boolean =>
  clock.now() - since >= OUTAGE_LIMIT_MS;

const given = ({ clock }: SupervisionDeps, { since }: Outage, why: string): Error => {
  const seconds = Math.round((clock.now() - since) / 1_000);
  return new Error(`the embedded Postgres could not be kept running for ${seconds} s: ${why}`);
};

const pauseBefore = (tries: number): number =>
  tries === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
