import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../application/ports/logger.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { FromThread, Question, ToThread } from './messages.ts';
import { receivedError } from './sent-error.ts';

/** Looks for signs of life while something is pending. */
interface HeartbeatWatch {
  /** Something is pending from now on. */
  readonly begin: () => void;
  readonly heard: () => void;
  /** Nothing is pending any more. */
  readonly end: () => void;
}

/**
 * Calls `silent` where nothing is heard for `maxMs()`, though it is asked every `everyMs`. Looks are counted and not the
 * clock: while this thread itself or the whole machine stands still, nobody is silent.
 *
 * @param maxMs may change with what is awaited
 */
const watchHeartbeat = (
  { everyMs, maxMs }: { readonly everyMs: number; readonly maxMs: () => number },
  { ask, silent }: { readonly ask: () => void; readonly silent: () => void },
): HeartbeatWatch => {
  let looking: NodeJS.Timeout | undefined;
  let missed = 0;
  const end = (): void => {
    clearInterval(looking);
    looking = undefined;
  };
  const look = (): void => {
    if (missed * everyMs >= maxMs()) {
      end();
      silent();
      return;
    }
    missed += 1;
    ask();
  };
  return {
    begin: () => {
      missed = 0;
      looking ??= setInterval(look, everyMs).unref();
    },
    heard: () => {
      missed = 0;
    },
    end,
  };
};

/** Times in milliseconds. */
export interface ThreadLimits {
  /** For an answer: then nobody waits for it any more. Longer than a statement may take. */
  readonly answerMs: number;
  /** Without a sign of life while it owes answers: then it is stopped. What waits for others, or in line, gives one. */
  readonly silentMs: number;
  /** The same until it is ready: sources are compiled at one go. */
  readonly startMs: number;
}
const USUAL_LIMITS: ThreadLimits = { answerMs: 90_000, silentMs: 15_000, startMs: 60_000 };

/** The thread is gone, and with it the answer. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export interface Thread {
  /** Questions that have no answer yet. */
  readonly asked: () => number;
  /** Whether it has begun to answer; what it is asked before waits. */
  readonly isReady: () => boolean;
  /** @throws what the operation threw; ThreadEnded; DomainError unavailable where that takes too long */
  readonly ask: (question: Question) => Promise<unknown>;
  /** Lets it answer what it was asked, and put down what it holds; not for long. Resolves when it is gone. */
  readonly end: () => Promise<void>;
}

export interface ThreadOptions {
  /** A module that calls `answerQuestions`. */
  readonly script: URL;
  /** What it is told at its start. */
  readonly data: unknown;
  readonly log: Pick<Logger, 'warn'>;
  /** How long its end may take, in milliseconds. */
  readonly endMs: number;
  /** Memory for objects, buffers apart. Default: as much as this thread may have. */
  readonly heapMb?: number;
  /** Default: the usual ones. */
  readonly limits?: ThreadLimits;
}

/** Why it is gone. */
export interface Gone {
  readonly reason: string;
  /** It was stopped, as it gave no sign of life. */
  readonly silent: boolean;
}

/** For signs of life, in the time that silence may last. */
const LOOKS = 10;

const ownHeapMb = (): number => Math.ceil(getHeapStatistics().heap_size_limit / 1_024 ** 2);

/** Starts a thread. It keeps the process alive only while it owes an answer. */
export const startThread = (
  { script, data, log, endMs, heapMb = ownHeapMb(), limits = USUAL_LIMITS }: ThreadOptions,
  gone: (why: Gone) => void,
): Thread => {
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  worker.unref();
  const waiting = new Map<
    number,
    { readonly answer: PromiseWithResolvers<unknown>; readonly late: NodeJS.Timeout }
  >();
  let last = 0;
  let isReady = false;
  let isGone = false;
  let reason = 'it ended by itself';
  let idle = Promise.withResolvers<void>();
  const post = (message: ToThread): void => worker.postMessage(message);
  const silentMs = (): number => (isReady ? limits.silentMs : limits.startMs);
  const watch = watchHeartbeat(
    { everyMs: limits.silentMs / LOOKS, maxMs: silentMs },
    {
      ask: () => post({ kind: 'look' }),
      silent: () => {
        reason = `it gave no sign of life for ${silentMs() / 1_000} s`;
        lost(true);
        void worker.terminate();
      },
    },
  );

  const settled = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const asked = waiting.get(id);
    clearTimeout(asked?.late);
    waiting.delete(id);
    if (waiting.size === 0) {
      worker.unref();
      watch.end();
      idle.resolve();
    }
    return asked?.answer;
  };
  const lost = (silent: boolean): void => {
    if (isGone) return;
    isGone = true;
    for (const id of waiting.keys()) settled(id)?.reject(new ThreadEnded(reason));
    gone({ reason, silent });
  };
  worker.on('message', (message: FromThread) => {
    watch.heard();
    if (message.kind === 'ready') isReady = true;
    else if (message.kind === 'alive') return;
    else if (message.kind === 'warning') log.warn(message.message, message.fields);
    else if (message.kind === 'answer') settled(message.id)?.resolve(message.answer);
    else settled(message.id)?.reject(receivedError(message.error));
  });
  worker.on('error', (error) => (reason = `${(error as Error).name}: ${(error as Error).message}`));
  const exit = Promise.withResolvers<void>();
  worker.once('exit', () => {
    lost(false);
    exit.resolve();
  });
  return {
    asked: () => waiting.size,
    isReady: () => isReady,
    ask: (question) => {
      const id = (last += 1);
      post({ kind: 'question', id, ...question });
      if (waiting.size === 0) {
        worker.ref();
        watch.begin();
        idle = Promise.withResolvers();
      }
      const answer = Promise.withResolvers<unknown>();
      const tooLate = (): void =>
        settled(id)?.reject(
          new DomainError(
            'unavailable',
            `there was no answer within ${limits.answerMs / 1_000} s: try again`,
          ),
        );
      waiting.set(id, { answer, late: setTimeout(tooLate, limits.answerMs).unref() });
      return answer.promise;
    },
    end: async () => {
      reason = 'the program stops';
      const late = setTimeout(() => void worker.terminate(), endMs);
      if (waiting.size > 0) await Promise.race([idle.promise, exit.promise]);
      post({ kind: 'end' });
      worker.ref();
      await exit.promise;
      clearTimeout(late);
    },
  };
};
