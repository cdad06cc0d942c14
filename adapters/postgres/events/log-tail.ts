import type pg from 'pg';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import { asText, toPosition } from './rows.ts';
import { sharing } from './sharing.ts';
import type { WakeUp } from './wake-up.ts';

const POLL_MS = 500;

/** The end of the stable part of the log, watched once for all followers of a process. */
export interface LogTail {
  /** Position of its last event, asked of the server after this call. Concurrent calls share a question. */
  readonly refresh: () => Promise<Position>;
  /** Resolves once it lies beyond `position`, or when `signal` aborts. Rejects when the server cannot be asked. */
  readonly beyond: (position: Position, signal: AbortSignal) => Promise<Position>;
}

interface Waiter {
  readonly position: Position;
  readonly resolve: (head: Position) => void;
  readonly reject: (error: unknown) => void;
}

export const createLogTail = (pool: pg.Pool, wakeUp: Pick<WakeUp, 'subscribe'>): LogTail => {
  const waiters = new Set<Waiter>();
  let head = BEGINNING;
  let subscribed = false;
  /** Hints so far, and how many of them the last answer covers. */
  let hints = 0;
  let covered = 0;
  let poll: NodeJS.Timeout | null = null;

  const ask = async (): Promise<Position> => {
    const asked = hints;
    head = later(head, await stableHead(pool));
    covered = asked;
    return head;
  };
  const refresh = sharing(ask);

  const look = (): void => {
    if (waiters.size === 0) return;
    if (poll) clearTimeout(poll);
    poll = null;
    refresh().then(settle, fail);
  };
  const settle = (found: Position): void => {
    for (const waiter of waiters) if (waiter.position < found) waiter.resolve(found);
    if (waiters.size > 0) poll ??= setTimeout(look, POLL_MS);
  };
  const fail = (error: unknown): void => {
    for (const waiter of waiters) waiter.reject(error);
  };
  const hint = (): void => {
    hints += 1;
    look();
  };

  return {
    refresh: () => {
      if (!subscribed) wakeUp.subscribe(hint);
      subscribed = true;
      return refresh();
    },
    beyond: async (position, signal) => {
      if (signal.aborted || position < head) return head;
      const { promise, resolve, reject } = Promise.withResolvers<Position>();
      const waiter = { position, resolve, reject };
      const leave = (): void => resolve(head);
      signal.addEventListener('abort', leave);
      waiters.add(waiter);
      if (hints > covered) look();
      else poll ??= setTimeout(look, POLL_MS);
      try {
        return await promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        if (waiters.size === 0 && poll) {
          clearTimeout(poll);
          poll = null;
        }
      }
    },
  };
};

const later = (a: Position, b: Position): Position => (a > b ? a : b);

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
