import { DomainError } from '../../domain/shared/domain-error.ts';

export interface FairQueueOptions {
  /** Maximum number of concurrent tasks. */
  readonly maxConcurrent: number;
  /** Maximum waiting time in milliseconds. */
  readonly waitMs: number;
  /** Message of the error for a rejected task. */
  readonly errorMessage: string;
}

/**
 * Limits concurrency fairly: keys take turns, and tasks of one key run in order of arrival.
 *
 * @throws what `work` throws; DomainError unavailable if the task cannot start in time, at once if that is
 * foreseeable
 */
export type FairQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Weight of the newest interval in the moving average. */
const SMOOTHING = 0.1;

export const createFairQueue = ({ maxConcurrent, waitMs, errorMessage }: FairQueueOptions): FairQueue => {
  /** Queued tasks by key, in order of the keys' turns. A key without queued tasks has no entry. */
  const queued = new Map<string, Set<() => void>>();
  let queuedCount = 0;
  let running = 0;
  /** Average time between two finished tasks while others are queued, in milliseconds; null while unknown. */
  let paceMs: number | null = null;
  let endedAt = 0;

  const dequeue = (key: string, start: () => void): void => {
    const tasks = queued.get(key);
    if (tasks?.delete(start) !== true) return;
    queuedCount -= 1;
    if (tasks.size === 0) queued.delete(key);
  };
  const next = (): void => {
    const [entry] = queued;
    if (entry === undefined || running >= maxConcurrent) return;
    const [key, tasks] = entry;
    const [start] = tasks;
    // Move the key to the end.
    queued.delete(key);
    queued.set(key, tasks);
    if (start === undefined) return;
    dequeue(key, start);
    start();
  };
  const waitForTurn = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        running += 1;
        resolve();
      };
      const timer = setTimeout(() => {
        dequeue(key, start);
        reject(new DomainError('unavailable', errorMessage));
      }, waitMs).unref();
      const tasks = queued.get(key) ?? new Set();
      queued.set(key, tasks.add(start));
      queuedCount += 1;
    });
  const finish = (): void => {
    const now = performance.now();
    running -= 1;
    // The pace is known only while the queue is never empty.
    if (queuedCount === 0) {
      endedAt = 0;
      paceMs = null;
    } else {
      const ms = now - endedAt;
      if (endedAt > 0) paceMs = paceMs === null ? ms : paceMs + SMOOTHING * (ms - paceMs);
      endedAt = now;
    }
    next();
  };
  return async (key, work) => {
    if (running < maxConcurrent) running += 1;
    else {
      // Each waiting key gets an equal share, so a key with few queued tasks waits briefly.
      const before = Math.min(queuedCount, ((queued.get(key)?.size ?? 0) + 1) * (queued.size + 1));
      if (paceMs !== null && before * paceMs > waitMs) throw new DomainError('unavailable', errorMessage);
      await waitForTurn(key);
    }
    try {
      return await work();
    } finally {
      finish();
    }
  };
};
