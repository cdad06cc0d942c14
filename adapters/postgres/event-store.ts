import type pg from 'pg';
import {
  checkAppend,
  revisionBefore,
  revisionFrom,
  withoutGap,
} from '../../application/ports/event-checks.ts';
import { ConcurrencyConflict, type EventStore } from '../../application/ports/event-store.ts';
import { appendGroup, appendOne, unreachable } from './events/append.ts';
import { createAppendQueue } from './events/append-queue.ts';
import { createStreamReader } from './events/read-streams.ts';
import type { WakeUp } from './events/wake-up.ts';
import { isTransient } from './connection.ts';

/** Needs `eventStoreMigrations`. One per process: its queue makes concurrent appends share commits. */
export const createPostgresEventStore = (deps: {
  readonly pool: pg.Pool;
  /** Shared with the feed of this process, which then delivers without delay. */
  readonly wakeUp: Pick<WakeUp, 'appended'>;
}): EventStore => {
  const { pool, wakeUp } = deps;
  const enqueue = createAppendQueue({
    one: (append) => appendOne(pool, append),
    many: (appends) => appendGroup(pool, appends),
  });
  const readBatched = createStreamReader(pool);
  const clock = clockAligner(pool);

  return {
    append: async (stream, expected, events) => {
      const checked = checkAppend(stream, events);
      const after = revisionBefore(stream, expected, events.length);
      await clock.align();
      const outcome = await enqueue({ stream, after, events: checked });
      if (outcome.kind === 'failed') {
        if (!(outcome.error instanceof ConcurrencyConflict)) clock.reset();
        throw outcome.error;
      }
      if (outcome.kind === 'appended') wakeUp.appended();
      return outcome.result;
    },
    readStream: async (stream, from = 0n, limit) => {
      const first = revisionFrom(from);
      if (first === null) return [];
      const events = await readBatched({ stream, first, limit: limit ?? null }).catch((error: unknown) => {
        throw isTransient(error) ? unreachable(error) : error;
      });
      return withoutGap(stream, first, events);
    },
  };
};

/**
 * Aligns the log's clock (see `es.align_clock`) before the first append, and again after any failure: a
 * restore ends the connections to the database that it replaces.
 */
const clockAligner = (pool: pg.Pool): { readonly align: () => Promise<void>; readonly reset: () => void } => {
  let aligned: Promise<void> | null = null;
  const reset = (): void => {
    aligned = null;
  };
  const align = async (): Promise<void> => {
    try {
      await pool.query('SELECT es.align_clock()');
    } catch (error) {
      reset();
      throw isTransient(error) ? unreachable(error) : error;
    }
  };
  pool.on('error', reset);
  return { align: () => (aligned ??= align()), reset };
};
