import { setImmediate as nextTick } from 'node:timers/promises';
import { isTransient } from './connection.ts';

export interface MicroBatchOptions<Item, Result> {
  /**
   * Returns one result per item, in the same order. If a batch of several items fails with a permanent error,
   * each item is sent alone, since one of them may be the cause. If it fails with a transient error, every
   * caller gets that error, since the batch may have been written.
   */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Size of an item in bytes: a batch has at most 4 MB, or a single item. Default: 0. */
  readonly bytesOf?: (item: Item) => number;
  /**
   * Maximum number of batches in flight; later items wait for the next one. With Infinity, only items of one
   * tick share a batch. Default: 2.
   */
  readonly maxInFlight?: number;
}

/** Two: the server works on one batch while this process prepares the next. */
const MAX_IN_FLIGHT = 2;
/** Minimum size of a batch while another one is in flight: a statement costs more than a few extra rows. */
const MIN_BATCH_ITEMS = 16;
const MAX_ITEMS = 64;
const MAX_BYTES = 4 * 1024 * 1024;

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly deferred: PromiseWithResolvers<Result>;
}

/**
 * Collects concurrent calls into batches: one statement, and for writes one commit, serves many. While few
 * batches are in flight, an item is sent at the end of the tick; otherwise it joins the next batch.
 */
export const createMicroBatch = <Item, Result>({
  send,
  bytesOf = () => 0,
  maxInFlight = MAX_IN_FLIGHT,
}: MicroBatchOptions<Item, Result>): ((item: Item) => Promise<Result>) => {
  const queue: PendingItem<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(() => {
      isScheduled = false;
      for (let free = maxInFlight - inFlight; free > 0 && queue.length > 0; free--) {
        const isBounded = free !== Infinity;
        if (isBounded && inFlight > 0 && queue.length < MIN_BATCH_ITEMS) break;
        const batchSize = isBounded ? Math.max(MIN_BATCH_ITEMS, Math.ceil(queue.length / free)) : MAX_ITEMS;
        void sendBatch(take(queue, batchSize));
      }
    });
  };

  const sendBatch = async (batch: readonly PendingItem<Item, Result>[]): Promise<void> => {
    inFlight += 1;
    try {
      const results = await send(batch.map(({ item }) => item));
      for (const [nth, { deferred }] of batch.entries()) deferred.resolve(results[nth]!);
    } catch (error) {
      if (batch.length === 1 || isTransient(error)) for (const { deferred } of batch) deferred.reject(error);
      else await Promise.all(batch.map(sendAlone));
    } finally {
      inFlight -= 1;
      schedule();
    }
  };

  const sendAlone = async ({ item, deferred }: PendingItem<Item, Result>): Promise<void> => {
    try {
      const [result] = await send([item]);
      deferred.resolve(result!);
    } catch (error) {
      deferred.reject(error);
    }
  };

  return (item) => {
    const deferred = Promise.withResolvers<Result>();
    queue.push({ item, bytes: bytesOf(item), deferred });
    schedule();
    return deferred.promise;
  };
};

/** Removes and returns the oldest items within the limits, at least one. */
const take = <Item, Result>(
  queue: PendingItem<Item, Result>[],
  batchSize: number,
): readonly PendingItem<Item, Result>[] => {
  let count = 0;
  let bytes = 0;
  for (const entry of queue) {
    if (count >= Math.min(batchSize, MAX_ITEMS)) break;
    if (count > 0 && bytes + entry.bytes > MAX_BYTES) break;
    bytes += entry.bytes;
    count += 1;
  }
  return queue.splice(0, count);
};

/**
 * Shares one read between all calls with the same key in one tick. The read starts after the last of these
 * calls, so no caller gets an older state.
 */
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

/**
 * Single flight: a key that another caller is reading is awaited, not read again. If a read fails, every
 * caller that waits for it gets the error.
 */
export const createSingleFlight = <Found>(): SingleFlight<Found> => {
  const inFlight = new Map<string, Promise<ReadonlyMap<string, Found>>>();
  return async (keys, read) => {
    const newKeys = keys.filter((key) => !inFlight.has(key));
    if (newKeys.length > 0) {
      const reading = read(newKeys).finally(() => newKeys.forEach((key) => inFlight.delete(key)));
      for (const key of newKeys) inFlight.set(key, reading);
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
