import { BEGINNING, type Position } from '../../../application/ports/event-store.ts';
import type { LogProbeAnswer } from '../../../application/ports/read-gate.ts';
import { type LogEnd, type LogTail, watchTail } from '../../event-feed/follow.ts';
import { unreachable } from './append.ts';
import { asText, fromPosition, toPosition } from './read-streams.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const CHANNEL = 'es_events';
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`;
const NOTIFY_AFTER_MS = 10;
const MAX_RECONNECT_MS = 5_000;

export interface WakeUp {
  /** Notifies the listeners of this process at once and other processes within some 10 ms after an append. */
  readonly appended: () => void;
  /**
   * Calls `listener` whenever events may have been committed anywhere. Only a hint: the call may come late or
   * never.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Ends the connection; no listener is called afterwards. */
  readonly close: () => Promise<void>;
}

/**
 * Wakes followers over one LISTEN connection per process, which is opened at the first subscription and kept
 * open.
 *
 * The NOTIFY is sent separately from the appends and once for many of them: inside an append it would make
 * all commits of the database wait for each other.
 */
export const createWakeUp = (deps: {
  readonly pool: pg.Pool;
  readonly newClient: () => pg.Client;
}): WakeUp => {
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  /** Identifies our own notifications, which are ignored: the listeners of this process already know. */
  const self = randomUUID();
  let listening: Promise<void> | null = null;
  let notifying: NodeJS.Timeout | null = null;

  const wake = (): void => {
    for (const listener of listeners) listener();
  };

  const notify = (): void => {
    notifying = null;
    // A lost notification only delays other processes until their next poll, so it needs no wait for the
    // disk.
    deps.pool.query(NOTIFY, [self]).catch(() => {});
  };

  const keepListening = async (): Promise<void> => {
    for (let pause = 100; !closing.signal.aborted; pause = Math.min(2 * pause, MAX_RECONNECT_MS)) {
      const connected = await listen(deps.newClient(), closing.signal, (by) => by !== self && wake());
      if (connected) pause = 100;
      await delay(pause * (0.5 + Math.random()), undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  return {
    appended: () => {
      wake();
      if (!closing.signal.aborted) notifying ??= setTimeout(notify, NOTIFY_AFTER_MS).unref();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      if (!closing.signal.aborted) listening ??= keepListening();
      return () => listeners.delete(listener);
    },
    close: async () => {
      closing.abort();
      if (notifying) clearTimeout(notifying);
      listeners.clear();
      await listening;
    },
  };
};

/** Listens until the connection breaks or `signal` aborts. Returns whether it was ever open. */
const listen = async (
  client: pg.Client,
  signal: AbortSignal,
  wake: (by: string | undefined) => void,
): Promise<boolean> => {
  const broken = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let up = false;
  try {
    await client.connect();
    client.on('notification', ({ payload }) => wake(payload));
    await client.query(`LISTEN ${CHANNEL}`);
    up = true;
    // Wake for appends that were made while the connection was down.
    wake(undefined);
    if (!signal.aborted) await broken;
  } catch {
    // The server is unavailable: the caller retries.
  }
  await client.end().catch(() => {});
  return up;
};

const POLL_MS = 500;

/** The end of the stable part of the log. Listens for appends from the first request. */
export const createLogTail = (pool: pg.Pool, wakeUp: Pick<WakeUp, 'subscribe'>): LogTail => {
  let end: LogEnd = { position: BEGINNING };
  let subscribed = false;
  const ask = async (): Promise<LogEnd> => {
    const position = await stableHead(pool);
    if (position > end.position) end = { position };
    return end;
  };
  const tail = watchTail({ ask, known: () => end, pollMs: POLL_MS });
  return {
    refresh: () => {
      if (!subscribed) wakeUp.subscribe(tail.hint);
      subscribed = true;
      return tail.refresh();
    },
    beyond: tail.beyond,
  };
};

const stableHead = async (pool: pg.Pool): Promise<Position> => {
  const { rows } = await pool.query<(string | null)[]>({
    name: 'es-stable-head',
    text: 'SELECT tx, pos FROM es.stable_head()',
    rowMode: 'array',
    types: asText,
  });
  const [tx, pos] = rows[0] ?? [];
  return tx && pos ? toPosition([tx, pos]) : BEGINNING;
};

/**
 * Probes the log in one statement. The first event of `identityStream` contains the identity; `seen` is a
 * position that this process has seen, which must still be that of an event.
 *
 * @throws EventStoreUnavailable
 */
export const probeLog = async (
  pool: pg.Pool,
  identityStream: string,
  seen: Position,
): Promise<LogProbeAnswer> => {
  try {
    const { rows } = await pool.query<(string | null)[]>({
      name: 'es-look',
      text: `SELECT h.tx, h.pos, (SELECT e.data->>'identity' FROM es.events e WHERE e.stream = $1 AND e.revision = 0),
               $2::bigint IS NULL OR EXISTS (SELECT FROM es.events e WHERE e.tx = $2 AND e.pos = $3)
             FROM (SELECT 1) one LEFT JOIN es.stable_head() h ON true`,
      values: [identityStream, ...(seen === BEGINNING ? [null, null] : fromPosition(seen))],
      rowMode: 'array',
      types: asText,
    });
    const [tx, pos, identity = null, holds] = rows[0] ?? [];
    return { end: tx && pos ? toPosition([tx, pos]) : BEGINNING, identity, holds: holds === 't' };
  } catch (error) {
    throw unreachable(error);
  }
};
