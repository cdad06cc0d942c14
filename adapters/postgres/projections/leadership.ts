import type { Logger } from '../../../application/ports/logger.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

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
const POLL_MS = 1_000;
/** A machine that is cut off keeps its lead for half a minute at most: the server asks whether it is still there. */
const KEEPALIVE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;

/** Resolves later, or when the signal aborts. */
type Pause = (signal: AbortSignal) => Promise<void>;

const pauseAWhile: Pause = (signal) =>
  delay(POLL_MS * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});

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

/** A connection that several use at the same time, for what belongs to a session. */
interface Session {
  /**
   * Asks one statement, after those asked before it have ended: a connection does one at a time. Rejects when no
   * connection came about, and when the statement fails.
   */
  readonly ask: <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Aborts when the connection breaks, did not come about, or is closed. */
  readonly lost: AbortSignal;
}

interface OpenSession extends Session {
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

interface SharedSession {
  /** The session that others use, or else a new one. */
  readonly enter: () => Session;
  /** To be called once for each `enter`: the last one closes the connection. Never rejects. */
  readonly leave: (session: Session) => Promise<void>;
}

/**
 * One connection for all who need a session, as long as anybody does; a new one once it broke.
 *
 * @param settings a statement that each connection begins with
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
  connected.catch(() => {}); // whoever uses it is told
  return {
    ask: async <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]) => {
      const turn = last.catch(() => {}).then(() => connected);
      const answer = turn.then(() => client.query<Row>(sql, [...values]));
      last = answer;
      return (await answer).rows;
    },
    close: () => connected.then(() => client.end()).catch(() => {}),
    lost: lost.signal,
  };
};
