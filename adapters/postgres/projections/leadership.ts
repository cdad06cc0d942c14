import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../application/ports/logger.ts';
import { createSharedSession, type Session } from '../shared-session.ts';

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
 * leader's process dies. All names that a process leads or waits for share one connection, which needs a server or a
 * pooler that keeps sessions; when it breaks, all leads are lost together. While the server is away or refuses, it is asked
 * again after a pause, and the log says so once for each name.
 */
export const createLeadership = (
  newClient: () => pg.Client,
  log: Logger,
  pause: Pause = pauseAWhile,
): Leadership => {
  const sessions = createSharedSession(newClient, KEEPALIVE);
  /** A session may take its own locks again: that each is taken once is known here. */
  const led = new Set<string>();
  return {
    lead: async (name, signal, task) => {
      for (let failures = 0; !signal.aborted; failures += 1) {
        if (failures > 0) await pause(signal);
        const session = sessions.enter();
        try {
          const held = AbortSignal.any([signal, session.lost]);
          const refusal = await acquire(session, led, name, held, pause);
          if (refusal === null)
            return await whileLed(
              () => task(held),
              () => release(session, led, name),
            );
          if (failures === 0 && !signal.aborted) {
            log.warn('it is not known who leads: the database is asked again until it answers', {
              name,
              error: refusal.message,
            });
          }
        } finally {
          await sessions.leave(session);
        }
      }
      return undefined;
    },
  };
};

const whileLed = async <T>(task: () => Promise<T>, release: () => Promise<void>): Promise<T> => {
  try {
    return await task();
  } finally {
    await release();
  }
};

/** Null when it leads; else why a new connection is needed, or that `held` has aborted. */
const acquire = async (
  session: Session,
  led: Set<string>,
  name: string,
  held: AbortSignal,
  pause: Pause,
): Promise<Error | null> => {
  try {
    while (!(await tryLock(session, led, name))) {
      await pause(held);
      held.throwIfAborted();
    }
    if (!held.aborted) return null;
    await release(session, led, name);
    return held.reason as Error;
  } catch (error) {
    return error as Error;
  }
};

const tryLock = async (session: Session, led: Set<string>, name: string): Promise<boolean> => {
  if (led.has(name)) return false;
  led.add(name);
  let won = false;
  try {
    const [row] = await session.ask<{ won: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS won',
      [CLASS, name],
    );
    won = row?.won === true;
  } finally {
    if (!won) led.delete(name);
  }
  return won;
};

/** A lock whose connection is broken is free already. */
const release = async ({ ask, lost }: Session, led: Set<string>, name: string): Promise<void> => {
  try {
    if (!lost.aborted) await ask('SELECT pg_advisory_unlock($1, hashtext($2))', [CLASS, name]);
  } catch {
    // The connection broke meanwhile.
  } finally {
    led.delete(name);
  }
};
