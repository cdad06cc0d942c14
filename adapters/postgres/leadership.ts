import type { Logger } from '../../application/ports/logger.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export interface Leadership {
  /**
   * Waits until no other process leads `name`, then runs `task`, and releases the lead when `task` ends. The
   * signal of `task` aborts with `signal`, and when the lead is lost because the connection broke. Returns
   * undefined if `signal` aborted first.
   *
   * Leadership saves stand-by processes the work but is not a fence: for a moment after a broken connection
   * two processes may believe that they lead. The writes of `task` must be safe even then.
   */
  readonly lead: <T>(
    name: string,
    signal: AbortSignal,
    task: (held: AbortSignal) => Promise<T>,
  ) => Promise<T | undefined>;
}

/** First key of the advisory locks; the second derives from the name. */
const LOCK_CLASS = 7_701;
const POLL_MS = 1_000;
/** A disconnected machine keeps its lead for half a minute at most: the server probes its connection. */
const KEEPALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;

/** Resolves after a pause, or when the signal aborts. */
type Pause = (signal: AbortSignal) => Promise<void>;

const pauseAWhile: Pause = (signal) =>
  delay(POLL_MS * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});

/**
 * Elects one leader per name among all processes of a database, by an advisory lock of a session: the lock is
 * free as soon as the leader's process dies. All names that a process leads or waits for share one
 * connection, which needs a server or a pooler with sessions; if it breaks, all leads are lost together.
 * While the server is unavailable or rejects the connection, retries after a pause and logs one warning per
 * name.
 */
export const createLeadership = (
  newClient: () => pg.Client,
  log: Logger,
  pause: Pause = pauseAWhile,
): Leadership => {
  const sessions = createSharedSession(newClient, KEEPALIVE);
  /**
   * Names that this process leads. The lock is reentrant within a session, so this set ensures that each is
   * taken once.
   */
  const ledNames = new Set<string>();
  return {
    lead: async (name, signal, task) => {
      for (let failures = 0; !signal.aborted; failures += 1) {
        if (failures > 0) await pause(signal);
        const session = sessions.enter();
        try {
          const held = AbortSignal.any([signal, session.lost]);
          const refusal = await acquire(session, ledNames, name, held, pause);
          if (refusal === null)
            return await runWhileLeading(
              () => task(held),
              () => release(session, ledNames, name),
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

const runWhileLeading = async <T>(task: () => Promise<T>, release: () => Promise<void>): Promise<T> => {
  try {
    return await task();
  } finally {
    await release();
  }
};

/** Returns null if it leads; otherwise the reason why a new connection is needed or `held` has aborted. */
const acquire = async (
  session: Session,
  ledNames: Set<string>,
  name: string,
  held: AbortSignal,
  pause: Pause,
): Promise<Error | null> => {
  try {
    while (!(await tryLock(session, ledNames, name))) {
      await pause(held);
      held.throwIfAborted();
    }
    if (!held.aborted) return null;
    await release(session, ledNames, name);
    return held.reason as Error;
  } catch (error) {
    return error as Error;
  }
};

const tryLock = async (session: Session, ledNames: Set<string>, name: string): Promise<boolean> => {
  if (ledNames.has(name)) return false;
  ledNames.add(name);
  let won = false;
  try {
    const [row] = await session.ask<{ won: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS won',
      [LOCK_CLASS, name],
    );
    won = row?.won === true;
  } finally {
    if (!won) ledNames.delete(name);
  }
  return won;
};

/** The lock of a broken connection is free already. */
const release = async ({ ask, lost }: Session, ledNames: Set<string>, name: string): Promise<void> => {
  try {
    if (!lost.aborted) await ask('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name]);
  } catch {
    // The connection broke meanwhile.
  } finally {
    ledNames.delete(name);
  }
};

/** A connection that several users share, for state that belongs to a session. */
interface Session {
  /**
   * Runs a statement after the earlier ones have ended, because a connection runs one at a time. Rejects if
   * the connection could not be opened, or if the statement fails.
   */
  readonly ask: <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Aborts when the connection breaks, could not be opened, or is closed. */
  readonly lost: AbortSignal;
}

interface OpenSession extends Session {
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

interface SharedSession {
  /** Returns the shared session, or opens a new one. */
  readonly enter: () => Session;
  /** Must be called once for each `enter`: the last call closes the connection. Never rejects. */
  readonly leave: (session: Session) => Promise<void>;
}

/**
 * One connection for all users of a session, open while there are any; replaced after it broke.
 *
 * @param settings a statement that each connection runs first
 */
const createSharedSession = (newClient: () => pg.Client, settings: string): SharedSession => {
  const opened = new Map<Session, { session: OpenSession; users: number }>();
  let current: OpenSession | null = null;
  const enter = (): Session => {
    if (current === null || current.lost.aborted) {
      current = open(newClient(), settings);
      opened.set(current, { session: current, users: 0 });
    }
    opened.get(current)!.users += 1;
    return current;
  };
  const leave = async (session: Session): Promise<void> => {
    const entry = opened.get(session)!;
    entry.users -= 1;
    if (entry.users > 0) return;
    opened.delete(session);
    if (current === session) current = null;
    await entry.session.close();
  };
  return { enter, leave };
};

const open = (client: pg.Client, settings: string): OpenSession => {
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('the connection to the database ended')));
  const connect = async (): Promise<void> => {
    try {
      await client.connect();
      await client.query(settings);
    } catch (error) {
      lost.abort(error);
      await client.end().catch(() => {});
      throw error;
    }
  };
  const connected = connect();
  let last: Promise<unknown> = connected;
  connected.catch(() => {}); // its users get the error
  return {
    ask: async <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => {
      const turn = last.catch(() => {}).then(() => connected);
      const result = turn.then(() => client.query<Row>(sql, [...values]));
      last = result;
      return (await result).rows;
    },
    close: () => connected.then(() => client.end()).catch(() => {}),
    lost: lost.signal,
  };
};
