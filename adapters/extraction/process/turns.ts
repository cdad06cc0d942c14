import { takeShare, type Task } from './task.ts';

/** What waits to be read, in a queue for each job; the jobs have their turns one after the other. */
export interface Turns {
  /** Behind what waits of the same jobs. */
  add(tasks: readonly Task[]): void;
  /** In front of what waits of the same jobs: they have been taken before. */
  putBack(tasks: readonly Task[]): void;
  /**
   * What a reader that holds `held` shall be sent next, see `takeShare`: of the job whose turn it is, or of the next
   * that has something for it.
   */
  take(held: readonly Task[], readers: number): Task[];
  /** Somebody still waits for one of them. */
  isWaitedFor(): boolean;
  isEmpty(): boolean;
  /** All of them, and none is left. */
  clear(): Task[];
}

export const createTurns = (): Turns => {
  /** In the order of their turns. A job without a document that waits is not there. */
  const queues = new Map<string, Task[]>();
  const queueOf = ({ request: { turn = '' } }: Task): Task[] => {
    const known = queues.get(turn) ?? [];
    queues.set(turn, known);
    return known;
  };
  return {
    add: (tasks) => {
      for (const task of tasks) queueOf(task).push(task);
    },
    putBack: (tasks) => {
      for (const task of tasks.toReversed()) queueOf(task).unshift(task);
    },
    take: (held, readers) => {
      for (const [turn, queue] of queues) {
        const share = takeShare(queue, held, readers);
        if (queue.length === 0) queues.delete(turn);
        if (share.length === 0) continue;
        if (queue.length > 0) {
          queues.delete(turn);
          queues.set(turn, queue);
        }
        return share;
      }
      return [];
    },
    isWaitedFor: () => [...queues.values()].some((queue) => queue.some(({ abandoned }) => !abandoned)),
    isEmpty: () => queues.size === 0,
    clear: () => {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
};
