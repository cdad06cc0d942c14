import type pg from 'pg';
import { type LogEnd, type LogTail, watchTail } from '../../event-feed/follow.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import { asText, toPosition } from './rows.ts';
import type { WakeUp } from './wake-up.ts';

const POLL_MS = 500;

/** The end of the stable part of the log. It is listened for appends from the first question on. */
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
