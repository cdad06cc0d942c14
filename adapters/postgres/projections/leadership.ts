import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../application/ports/logger.ts';

export interface Leadership {
  /**
   * Waits until no other process leads `name`, then runs `task`, and lets the next one lead when it ends. The signal
   * given to `task` aborts with `signal`, and when the lead is lost because the connection broke. Answers undefined
   * when `signal` aborted first.
   *
   * It spares stand-bys the work and is no fence: for a moment after a broken connection two may believe to lead. What
   * `task` writes must be safe all the same.
   */
  readonly lead: <T>(
    name: string,
    signal: AbortSignal,
    task: (held: AbortSignal) => Promise<T>,
  ) => Promise<T | undefined>;
}

/** First key of the advisory locks; the second is made from the name. */
const CLASS = 7_701;
const LOOK_MS = 1_000;
/** A machine that is cut off keeps its lead for half a minute at most: the server asks whether it is still there. */
const KEEPALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;

/** Resolves later, or when the signal aborts. */
type Pause = (signal: AbortSignal) => Promise<void>;

const pauseAWhile: Pause = (signal) =>
  delay(LOOK_MS * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});

/**
 * One leader per name among all processes on a database, by a session's advisory lock: it is free the moment the
 * leader's process dies. Each name that is led or waited for holds a connection of its own, and needs a server or a
 * pooler that keeps sessions. While the server is away or refuses, it is asked again after a pause, and the log says so
 * once.
 */
export const createLeadership = (
  newClient: () => pg.Client,
  log: Logger,
  pause: Pause = pauseAWhile,
): Leadership => ({
  lead: async (name, signal, task) => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (failures > 0) await pause(signal);
      const lost = new AbortController();
      const client = newClient();
      client.on('error', (error) => lost.abort(error));
      client.on('end', () => lost.abort(new Error('the connection to the database ended')));
      try {
        const held = AbortSignal.any([signal, lost.signal]);
        const refusal = await acquire(client, name, held, pause);
        if (refusal === null) return await task(held);
        if (failures === 0 && !signal.aborted) {
          log.warn('it is not known who leads: the database is asked again until it answers', {
            name,
            error: refusal.message,
          });
        }
      } finally {
        await client.end().catch(() => {});
      }
    }
    return undefined;
  },
});

/** Null when it leads; else why a new connection is needed, or that `held` has aborted. */
const acquire = async (
  client: pg.Client,
  name: string,
  held: AbortSignal,
  pause: Pause,
): Promise<Error | null> => {
  try {
    await client.connect();
    await client.query(KEEPALIVE);
    for (;;) {
      const { rows } = await client.query<{ won: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS won',
        [CLASS, name],
      );
      held.throwIfAborted();
      if (rows[0]?.won === true) return null;
      await pause(held);
      held.throwIfAborted();
    }
  } catch (error) {
    return error as Error;
  }
};
