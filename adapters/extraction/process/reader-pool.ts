import type { FailedExtraction } from '../../../application/ports/document-reader.ts';
import { type Task, takeShare } from './messages.ts';
import type { ReaderOptions, StartReader } from './reader-process.ts';
import { type Reader, createReader } from './reader.ts';

export interface ReaderPool {
  /** Queues tasks in order, after those of the same job. */
  add(tasks: readonly Task[]): void;
  /** Kills all processes. Fails queued tasks and tasks in progress with `reason`. Resolves when no process is left. */
  close(reason: Error): Promise<void>;
}

interface PoolOptions extends ReaderOptions {
  readonly start: StartReader;
  readonly processes: number;
  /**
   * Number of processes that start immediately. The others start one by one, when documents wait behind slow ones. One
   * that rests and has become heavy is ended, and replaced if fewer than this number are left.
   */
  readonly atFirst: number;
  /** A process is replaced after this many documents: this removes leaks where it never rests. */
  readonly restartAfter: number;
}

const CHECK_EVERY_MS = 50;
/** When a document takes longer, the tasks behind it go to other readers. */
const SLOW_MS = 500;
const MAX_FAILED_STARTS = 3;

export const createReaderPool = (options: PoolOptions): ReaderPool => {
  const now = (): number => performance.now();
  const readers = new Set<Reader>();
  const waiting = createTurns();
  const atFirst = Math.min(options.atFirst, options.processes);
  let wanted = atFirst;
  let failedStarts = 0;
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let closed: PromiseWithResolvers<void> | null = null;

  const isWorn = (reader: Reader): boolean => reader.served() >= options.restartAfter || reader.heavy();
  const isFresh = (reader: Reader): boolean => reader.state() !== 'retired' && !isWorn(reader);
  const isReady = (reader: Reader): boolean => reader.state() === 'ready';

  const isHeld = (reader: Reader, at: number): boolean =>
    reader.held.length > 0 && reader.busyFor(at) > SLOW_MS;

  /** Starts fresh readers up to the wanted number. A worn reader works on until its replacement is ready. */
  const renew = (): void => {
    if (failedStarts >= MAX_FAILED_STARTS) return;
    const fresh = [...readers].filter(isFresh);
    for (let count = fresh.length; count < wanted; count += 1) {
      readers.add(createReader(options, { room: schedule, heavy: shrink, ended }, now));
    }
    if (fresh.filter(isReady).length < wanted) return;
    for (const reader of readers)
      if (isReady(reader) && isWorn(reader) && reader.held.length === 0) reader.retire();
  };

  const dispatch = (): void => {
    scheduled = false;
    if (closed !== null) return;
    renew();
    const at = now();
    const able = [...readers].filter(isReady);
    const fresh = able.filter(isFresh);
    const used = fresh.length >= wanted ? fresh : able;
    for (const reader of used.toSorted((a, b) => a.held.length - b.held.length)) {
      if (isHeld(reader, at)) continue;
      const share = waiting.take(reader.held, used.length);
      if (share.length > 0) reader.give(share, at);
    }
    watch();
  };
  /** Calls within one tick share one message. */
  const schedule = (): void => {
    if (!scheduled) queueMicrotask(dispatch);
    scheduled = true;
  };

  /** The timer also keeps this process alive while a caller waits; the readers do not. */
  const watch = (): void => {
    const busy = !waiting.isEmpty() || [...readers].some((reader) => reader.held.length > 0);
    if (busy || [...readers].some((reader) => reader.unweighed())) {
      timer ??= setInterval(check, CHECK_EVERY_MS);
      if (busy) timer.ref();
      else timer.unref();
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const grow = (at: number): void => {
    const fresh = [...readers].filter(isFresh);
    const held = fresh.length === wanted && fresh.every((reader) => isReady(reader) && isHeld(reader, at));
    if (held) wanted = Math.min(wanted + 1, options.processes);
  };
  const shrink = (): void => {
    wanted = Math.max(wanted - 1, atFirst);
  };
  const check = (): void => {
    const at = now();
    for (const reader of readers) {
      reader.check(at);
      if (reader.held.length > 1 && isHeld(reader, at)) waiting.putBack(reader.takeBack());
    }
    if (failedStarts < MAX_FAILED_STARTS && waiting.isWaitedFor()) grow(at);
    schedule();
  };

  const ended = (reader: Reader, cause: FailedExtraction): void => {
    readers.delete(reader);
    if (closed !== null) {
      if (readers.size === 0) closed.resolve();
      return;
    }
    const [task, ...others] = reader.held.splice(0);
    waiting.putBack(others);
    if (task !== undefined) judge(task, cause, reader.served());
    if (reader.served() > 0 || task !== undefined) failedStarts = 0;
    else if (reader.state() === 'ended') failedStarts += 1;
    if (failedStarts >= MAX_FAILED_STARTS) makeDo(cause);
    schedule();
  };
  /** No more readers can start: the existing ones continue, and without any nothing is read. */
  const makeDo = (cause: FailedExtraction): void => {
    const able = [...readers].filter(isReady).length;
    wanted = Math.min(wanted, Math.max(1, able));
    if (able === 0) for (const left of waiting.clear()) left.settle(cause);
  };
  /**
   * Previous documents may have caused a memory failure or crash, and a busy machine a timeout: the task gets one more
   * reader to itself. A task that timed out waits behind tasks that have not been tried.
   */
  const judge = (task: Task, cause: FailedExtraction, served: number): void => {
    task.attempts += 1;
    const { code } = cause;
    if (task.attempts > 1 || task.abandoned) task.settle(cause);
    else if (code === 'timed_out') waiting.add([task]);
    else if (code === 'parser_failed' || (code === 'out_of_memory' && served > 0)) waiting.putBack([task]);
    else task.settle(cause);
  };

  schedule();
  return {
    add: (tasks) => {
      waiting.add(tasks);
      if (failedStarts >= MAX_FAILED_STARTS) failedStarts = 0;
      schedule();
    },
    close: (reason) => {
      if (closed !== null) return closed.promise;
      closed = Promise.withResolvers();
      clearInterval(timer);
      const left = [...waiting.clear(), ...[...readers].flatMap((reader) => reader.held)];
      for (const task of left) task.fail(reason);
      for (const reader of readers) reader.kill();
      if (readers.size === 0) closed.resolve();
      return closed.promise;
    },
  };
};

/** Queued tasks, with one queue per job; the jobs are served round-robin. */
interface Turns {
  /** Adds tasks after queued tasks of the same jobs. */
  add(tasks: readonly Task[]): void;
  /** Puts tasks before queued tasks of the same jobs: they were taken before. */
  putBack(tasks: readonly Task[]): void;
  /**
   * The next tasks for a reader with the tasks `held`, see `takeShare`: of the next job in turn that has something for
   * it.
   */
  take(held: readonly Task[], readers: number): Task[];
  /** Whether a caller still waits for one of them. */
  isWaitedFor(): boolean;
  isEmpty(): boolean;
  /** Removes and returns all tasks. */
  clear(): Task[];
}

const createTurns = (): Turns => {
  /** In turn order. A job without queued documents has no entry. */
  const queues = new Map<string, Task[]>();
  const queueOf = ({ request: { queueKey = '' } }: Task): Task[] => {
    const known = queues.get(queueKey) ?? [];
    queues.set(queueKey, known);
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
      for (const [queueKey, queue] of queues) {
        const share = takeShare(queue, held, readers);
        if (queue.length === 0) queues.delete(queueKey);
        if (share.length === 0) continue;
        if (queue.length > 0) {
          queues.delete(queueKey);
          queues.set(queueKey, queue);
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
