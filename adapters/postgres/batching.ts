import { setImmediate as nextTick } from 'node:timers/promises';
import { isTransient } from './connection.ts';

export interface MicroBatchOptions<Item, Answer> {
  /**
   * Answers each item, in the same order. When it throws for several, they are sent one by one, as one of them may be at
   * fault; not after a transient error, which leaves open whether the batch was written: then all callers get the error.
   */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Bytes of an item: a batch has 4 MB at most, unless it has a single item. Default: 0. */
  readonly bytesOf?: (item: Item) => number;
  /** Batches in flight at once; later items wait for the next. Infinity: only items of one tick share a batch. Default: 2. */
  readonly inFlight?: number;
}

/** The server works on one batch while this process prepares the next. */
const MAX_IN_FLIGHT = 2;
/** Fewer items are not split, and wait for the batch in flight: a statement costs more than a few of its rows. */
const MIN_SPLIT = 16;
const MAX_ITEMS = 64;
const MAX_BYTES = 4 * 1024 * 1024;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly bytes: number;
  readonly answer: PromiseWithResolvers<Answer>;
}

/**
 * Collects concurrent calls into batches: one statement, and for writes one commit, serves many. An item is sent at the
 * end of the tick while little is in flight; otherwise it waits and shares the next batch.
 */
export const createMicroBatch = <Item, Answer>({
  send,
  bytesOf = () => 0,
  inFlight: maxInFlight = MAX_IN_FLIGHT,
}: MicroBatchOptions<Item, Answer>): ((item: Item) => Promise<Answer>) => {
  const waiting: Waiting<Item, Answer>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(() => {
      isScheduled = false;
      for (let free = maxInFlight - inFlight; free > 0 && waiting.length > 0; free--) {
        const isBounded = free !== Infinity;
        if (isBounded && inFlight > 0 && waiting.length < MIN_SPLIT) break;
        const share = isBounded ? Math.max(MIN_SPLIT, Math.ceil(waiting.length / free)) : MAX_ITEMS;
        void settle(take(waiting, share));
      }
    });
  };

  const settle = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    inFlight += 1;
    try {
      const answers = await send(batch.map(({ item }) => item));
      for (const [nth, { answer }] of batch.entries()) answer.resolve(answers[nth]!);
    } catch (error) {
      if (batch.length === 1 || isTransient(error)) for (const { answer } of batch) answer.reject(error);
      else await Promise.all(batch.map(sendAlone));
    } finally {
      inFlight -= 1;
      schedule();
    }
  };

  const sendAlone = async ({ item, answer }: Waiting<Item, Answer>): Promise<void> => {
    try {
      const [own] = await send([item]);
      answer.resolve(own!);
    } catch (error) {
      answer.reject(error);
    }
  };

  return (item) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ item, bytes: bytesOf(item), answer });
    schedule();
    return answer.promise;
  };
};

/** Removes the items that have waited longest, within the limits; one at least. */
const take = <Item, Answer>(
  waiting: Waiting<Item, Answer>[],
  share: number,
): readonly Waiting<Item, Answer>[] => {
  let count = 0;
  let bytes = 0;
  for (const entry of waiting) {
    if (count >= Math.min(share, MAX_ITEMS)) break;
    if (count > 0 && bytes + entry.bytes > MAX_BYTES) break;
    bytes += entry.bytes;
    count += 1;
  }
  return waiting.splice(0, count);
};

/** One read for all calls with one key in one tick; it starts after the last of them, so no caller gets an older state. */
export const readOncePerTick = <T>(read: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const scheduled = new Map<string, Promise<T>>();
  const schedule = async (key: string): Promise<T> => {
    await nextTick();
    scheduled.delete(key);
    return read(key);
  };
  return (key) => {
    const shared = scheduled.get(key) ?? schedule(key);
    scheduled.set(key, shared);
    return shared;
  };
};

/** Reads immutable values by their keys; a key without a value is missing in the result. */
export type SingleFlight<Found> = (
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
) => Promise<ReadonlyMap<string, Found>>;

/** Single flight: a key that another caller is reading is awaited, not read again. A failed read fails for all of them. */
export const createSingleFlight = <Found>(): SingleFlight<Found> => {
  const inFlight = new Map<string, Promise<ReadonlyMap<string, Found>>>();
  return async (keys, read) => {
    const own = keys.filter((key) => !inFlight.has(key));
    if (own.length > 0) {
      const reading = read(own).finally(() => own.forEach((key) => inFlight.delete(key)));
      for (const key of own) inFlight.set(key, reading);
    }
    const readings = keys.map((key) => inFlight.get(key) as Promise<ReadonlyMap<string, Found>>);
    const results = await Promise.all(readings);
    return new Map(
      keys.flatMap((key, i) => {
        const found = results[i]?.get(key);
        return found === undefined ? [] : [[key, found] as const];
      }),
    );
  };
};
