import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Question } from './messages.ts';
import { type Gone, startThread, type Thread, ThreadEnded, type ThreadOptions } from './thread.ts';

export interface ThreadPoolOptions extends Omit<ThreadOptions, 'endMs'> {
  /** Most threads; 1 or more. */
  readonly threads: number;
  /** How long their end may take, in milliseconds. Default: 3,000. */
  readonly endMs?: number;
  /** ResultContext of each thread that ended before it should. */
  readonly ended?: (why: Gone) => void;
}

export interface ThreadPool {
  /**
   * Answers what a thread does: the one with the fewest questions, or the first one alone.
   *
   * @throws what the operation threw; DomainError unavailable where threads ended over it, where it takes too long, or the pool is closed
   */
  readonly ask: (question: Question, which?: 'any' | 'first') => Promise<unknown>;
  /** Lets them answer what they were asked, and ends them. */
  readonly close: () => Promise<void>;
}

/**
 * Threads that do the same. The first starts with the first question, and another when all that there are have something
 * to do. One that gives no sign of life is stopped. A question whose thread ends is asked once more: of another thread, or a new one in its place.
 */
export const createThreadPool = ({
  threads,
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
      options.log.warn('a thread ended; another takes its place', { reason: why.reason });
      ended(why);
    });
    slots[slot] = thread;
    return thread;
  };

  const leastBusy = (): Thread => {
    const started = slots.filter((thread) => thread !== null);
    const free = slots.indexOf(null);
    const isBusy = started.every((thread) => thread.asked() > 0);
    const next = isBusy && free >= 0 ? [startIn(free)] : [];
    // One that starts takes a moment: others answer meanwhile.
    const ready = started.filter((thread) => thread.isReady());
    const [first, ...others] = ready.length > 0 ? ready : [...started, ...next];
    return others.reduce((least, thread) => (thread.asked() < least.asked() ? thread : least), first!);
  };

  const ask = async (question: Question, which: 'any' | 'first'): Promise<unknown> => {
    if (closed) throw new DomainError('unavailable', 'the service stops');
    return (which === 'first' ? (slots[0] ?? startIn(0)) : leastBusy()).ask(question);
  };

  return {
    ask: async (question, which = 'any') => {
      try {
        return await ask(question, which);
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
      }
      try {
        return await ask(question, which);
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
