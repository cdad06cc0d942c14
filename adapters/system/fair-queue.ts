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

const newRound = (began: number, beforeMs: number | null = null) => ({ began, finished: 0, beforeMs });

interface Queued {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

export const createFairQueue = ({ maxConcurrent, waitMs, errorMessage }: FairQueueOptions): FairQueue => {
  /** Queued tasks by key, in order of the keys' turns. A key without queued tasks has no entry. */
  const queued = new Map<string, Set<Queued>>();
  let queuedCount = 0;
  let running = 0;
  /** Time for each finished task while others are queued, in milliseconds; null before two rounds. */
  let paceMs: number | null = null;
  /** A round is `maxConcurrent` finished tasks, because these often finish together. */
  let round = newRound(0);

  /** Whether a task that is behind `before` others of its key will be refused after `waited` milliseconds. */
  const isHopeless = (before: number, waited: number): boolean => {
    if (paceMs === null) return false;
    // Each waiting key gets an equal share, so a key with few queued tasks waits briefly.
    return Math.min(queuedCount, (before + 1) * queued.size) * paceMs >= waitMs - waited;
  };
  const dequeue = (key: string, task: Queued): void => {
    const tasks = queued.get(key);
    if (tasks?.delete(task) !== true) return;
    queuedCount -= 1;
    if (tasks.size === 0) queued.delete(key);
  };
  const next = (): void => {
    const [entry] = queued;
    if (entry === undefined || running >= maxConcurrent) return;
    const [key, tasks] = entry;
    const [task] = tasks;
    // Move the key to the end.
    queued.delete(key);
    queued.set(key, tasks);
    if (task === undefined) return;
    dequeue(key, task);
    task.start();
  };
  const waitForTurn = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = (): void => {
        clearTimeout(timer);
        dequeue(key, task);
        reject(new DomainError('unavailable', errorMessage));
      };
      const timer = setTimeout(refuse, waitMs).unref();
      const start = (): void => {
        clearTimeout(timer);
        running += 1;
        resolve();
      };
      const task = { since: performance.now(), start, refuse };
      const tasks = queued.get(key) ?? new Set();
      if (queuedCount === 0) {
        paceMs = null;
        round = newRound(task.since);
      }
      queued.set(key, tasks.add(task));
      queuedCount += 1;
      if (isHopeless(tasks.size - 1, 0)) refuse();
    });
  /** Refuses the newest of those that cannot start in time: they came before the pace was known, or it fell. */
  const endRound = (now: number): void => {
    const ms = (now - round.began) / maxConcurrent;
    // The better of two: a burst slows down the round in which it arrives.
    paceMs = round.beforeMs === null ? null : Math.min(round.beforeMs, ms);
    round = newRound(now, ms);
    for (const tasks of queued.values()) {
      const newestFirst = [...tasks].toReversed();
      for (const { since, refuse } of newestFirst) {
        if (!isHopeless(tasks.size - 1, now - since)) break;
        refuse();
      }
    }
  };
  const finish = (): void => {
    running -= 1;
    // The pace is known only while the queue is never empty.
    if (queuedCount > 0) {
      round.finished += 1;
      if (round.finished === maxConcurrent) endRound(performance.now());
    }
    next();
  };
  return async (key, work) => {
    if (running < maxConcurrent) running += 1;
    else await waitForTurn(key);
    try {
      return await work();
    } finally {
      finish();
    }
  };
};
