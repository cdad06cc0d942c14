import { createStoreWatch } from '../../../../application/event-sourcing/store-health/store-watch.ts';
import type { NewEvent } from '../../../../application/ports/event-store.ts';
import type { LogFields } from '../../../../application/ports/logger.ts';

/** A watch over a store that answers as the test says, in a time that passes as the watch sleeps. */
export const watchedStore = (name: string | null = 'event store') => {
  const world = { now: 0, answer: null as Error | null, silent: false, asked: 0, sleeps: [] as number[] };
  const told: (readonly [string, string, LogFields?])[] = [];
  const note = (level: string) => (message: string, fields?: LogFields) => {
    told.push(fields === undefined ? [level, message] : [level, message, fields]);
  };
  const watch = createStoreWatch({
    ask: async () => {
      world.asked += 1;
      if (world.silent) return new Promise(() => {});
      if (world.answer !== null) throw world.answer;
    },
    now: () => world.now,
    sleep: async (ms, signal) => {
      // What is answered at once is answered before any time passes.
      for (let turn = 0; turn < 10 && !signal.aborted; turn += 1) await Promise.resolve();
      if (signal.aborted) return;
      world.sleeps.push(ms);
      world.now += ms;
    },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    name,
  });
  /** Looks now, and at each of these times later. */
  const lookAfter = async (...ms: readonly number[]): Promise<void> => {
    for (const pause of ms) {
      world.now += pause;
      await watch.look();
    }
  };
  return { world, told, watch, lookAfter };
};

export const refused = (reason: Error, begun: boolean): Error =>
  new Error(`${begun ? 'left' : 'not begun'}: ${reason.message}`);

export const event = (no: number): NewEvent => ({
  id: `0f6d1a52-4c3e-7b1a-8d2c-00000000000${no}`,
  type: 'Some',
  data: {},
  metadata: {},
});
