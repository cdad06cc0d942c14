import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Logger } from '../../application/ports/logger.ts';
import type { ThreadRequest } from './messages.ts';
import { type ThreadExit, startThread, type Thread, ThreadEnded, type ThreadOptions } from './thread.ts';

export interface ThreadPoolOptions extends Omit<ThreadOptions, 'endMs'> {
  /** Maximum number of threads, at least 1. */
  readonly threads: number;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a thread may take to exit, in milliseconds. Default: 3,000. */
  readonly endMs?: number;
  /** Called for each thread that exits unexpectedly. */
  readonly ended?: (why: ThreadExit) => void;
}

export interface ThreadPool {
  /**
   * Runs an operation in the thread with the fewest pending requests, or in the first one.
   *
   * @throws what the operation threw; DomainError unavailable if threads exited during the operation, if it
   * takes too long, or if the pool is closed
   */
  readonly ask: (request: ThreadRequest, which?: 'any' | 'first') => Promise<unknown>;
  /** Lets the threads finish their pending requests, then ends them. */
  readonly close: () => Promise<void>;
}

/**
 * A pool of equal threads. The first request starts the first thread; another starts when all running threads
 * are busy. A thread that gives no sign of life is stopped. If a thread exits, its requests are repeated
 * once, in another thread or its replacement.
 */
export const createThreadPool = ({
  threads,
  log,
  endMs = 3_000,
  ended = () => {},
  ...options
}: ThreadPoolOptions): ThreadPool => {
  const slots: (Thread | null)[] = Array.from({ length: threads }, () => null);
  let closed = false;

  const startIn = (slot: number): Thread => {
    const thread = startThread({ ...options, endMs }, (why) => {
      if (slots[slot] === thread) slots[slot] = null;
      if (closed) return;
      log.warn('a thread ended; another takes its place', { reason: why.reason });
      ended(why);
    });
    slots[slot] = thread;
    return thread;
  };

  const leastBusy = (): Thread => {
    const started = slots.filter((thread) => thread !== null);
    const free = slots.indexOf(null);
    const isBusy = started.every((thread) => thread.pendingCount() > 0);
    const next = isBusy && free >= 0 ? [startIn(free)] : [];
    // A new thread takes a moment to start: prefer the ready ones meanwhile.
    const ready = started.filter((thread) => thread.isReady());
    const [first, ...others] = ready.length > 0 ? ready : [...started, ...next];
    return others.reduce(
      (least, thread) => (thread.pendingCount() < least.pendingCount() ? thread : least),
      first!,
    );
  };

  const ask = async (request: ThreadRequest, which: 'any' | 'first'): Promise<unknown> => {
    if (closed) throw new DomainError('unavailable', 'the service stops');
    return (which === 'first' ? (slots[0] ?? startIn(0)) : leastBusy()).ask(request);
  };

  return {
    ask: async (request, which = 'any') => {
      try {
        return await ask(request, which);
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
      }
      try {
        return await ask(request, which);
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
        throw new DomainError('unavailable', `two threads ended before it was answered (${error.message})`);
      }
    },
    close: async () => {
      closed = true;
      await Promise.all(slots.map(async (thread) => thread?.end()));
    },
  };
};
