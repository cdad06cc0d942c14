import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type {
  EventFeed,
  EventFilter,
  FeedMessage,
  Position,
  RecordedEvent,
} from '../../application/ports/event-store.ts';
import { isPassing } from './events/failures.ts';
import { createLogTail } from './events/log-tail.ts';
import type { LogTail } from './events/log-tail.ts';
import { readPage, searchable } from './events/pages.ts';
import { fromPosition } from './events/rows.ts';
import type { WakeUp } from './events/wake-up.ts';

export interface PostgresEventFeed extends EventFeed {
  /**
   * Milliseconds for which the oldest committed event has been waiting to become readable, because an append that
   * began before it has not ended; 0 when none waits. Grows only while an append hangs.
   */
  readonly oldestHiddenAgeMs: () => Promise<number>;
}

const MAX_PAUSE_MS = 5_000;

/** Needs `eventStoreMigrations`. Followers of one feed share its watch on the log: make one per process. */
export const createPostgresEventFeed = (deps: {
  readonly pool: pg.Pool;
  readonly wakeUp: Pick<WakeUp, 'subscribe'>;
}): PostgresEventFeed => {
  const { pool } = deps;
  const tail = createLogTail(pool, deps.wakeUp);

  return {
    read: async (after, filter, limit) => {
      fromPosition(after);
      const head = await tail.refresh();
      const events: RecordedEvent[] = [];
      let position = after;
      while (position < head && events.length < limit) {
        const part = await searchable(pool, { after: position, upTo: head }, filter);
        const page = await readPage(pool, part, filter, limit - events.length);
        events.push(...page);
        position = part.upTo;
      }
      return { events, position: events.length === limit ? (events.at(-1)?.position ?? after) : position };
    },
    follow: async function* follow(after, filter, { signal, batchSize = 500 }) {
      // Refused here and not in the loop, which mends what a retry can mend.
      fromPosition(after);
      const step = follower({ pool, tail }, after, filter, { signal, batchSize });
      for (let failures = 0; !signal.aborted;) {
        let messages: readonly FeedMessage[] = [];
        try {
          messages = await step();
          failures = 0;
        } catch (error) {
          if (!isPassing(error)) throw error;
          failures += 1;
          await pause(failures, signal);
        }
        for (const message of messages) if (!signal.aborted) yield message;
      }
    },
    oldestHiddenAgeMs: async () => {
      const { rows } = await pool.query<{ age: string | number }>('SELECT es.oldest_hidden_ms() AS age');
      return Number(rows[0]?.age ?? 0);
    },
  };
};

/** One reader's state; each call makes one step and answers what it has to say, a failed call changes nothing. */
const follower = (
  { pool, tail }: { readonly pool: pg.Pool; readonly tail: LogTail },
  start: Position,
  filter: EventFilter,
  { signal, batchSize }: { readonly signal: AbortSignal; readonly batchSize: number },
): (() => Promise<readonly FeedMessage[]>) => {
  let position = start;
  let head = BEGINNING;
  /** End of the part being read; pages read since `head` was asked for; whether `head` was announced as reached. */
  let part = BEGINNING;
  let pages = 0;
  let caughtUp = false;
  /** Little can have been appended since the last look, so that it is read in one go. */
  let near = false;

  const readOn = async (): Promise<readonly FeedMessage[]> => {
    const stretch = { after: position, upTo: position < part ? part : head };
    const { upTo } = near || position < part ? stretch : await searchable(pool, stretch, filter);
    near = false;
    const page = await readPage(pool, { after: position, upTo }, filter, batchSize);
    part = upTo;
    pages += 1;
    const [first, ...rest] = page;
    const delivered = page.at(-1)?.position ?? position;
    position = page.length === batchSize ? delivered : upTo;
    const messages: FeedMessage[] = first ? [{ kind: 'events', events: [first, ...rest] }] : [];
    if (position > delivered) messages.push({ kind: 'checkpoint', position });
    return messages;
  };

  return async () => {
    if (position < head) return readOn();
    if (caughtUp) {
      head = await tail.beyond(position, signal);
      [pages, caughtUp, near] = [0, false, true];
      return [];
    }
    // Reading many pages took its time: only a head asked for just now can be called "everything that was visible".
    if (pages !== 1) {
      head = await tail.refresh();
      pages = 0;
      if (position < head) return [];
    }
    caughtUp = true;
    return [{ kind: 'caughtUp', position }];
  };
};

/** Grows from a tenth of a second to five, with jitter, so that many followers do not return in step. */
const pause = (failures: number, signal: AbortSignal): Promise<void> =>
  delay(Math.min(100 * 2 ** (failures - 1), MAX_PAUSE_MS) * (0.5 + Math.random() / 2), undefined, {
    signal,
  }).catch(() => {});
