import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../application/ports/logger.ts';
import type { FromThread, Question, ToThread } from './messages.ts';
import { receivedError } from './sent-error.ts';

/** The thread is gone, and with it the answer. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export interface Thread {
  /** Questions that have no answer yet. */
  readonly asked: () => number;
  /** Whether it has begun to answer; what it is asked before waits. */
  readonly isReady: () => boolean;
  /** @throws what the operation threw; ThreadEnded */
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
}

const ownHeapMb = (): number => Math.ceil(getHeapStatistics().heap_size_limit / 1_024 ** 2);

/** Starts a thread. It keeps the process alive only while it owes an answer. */
export const startThread = (
  { script, data, log, endMs, heapMb = ownHeapMb() }: ThreadOptions,
  gone: (reason: string) => void,
): Thread => {
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  worker.unref();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let isReady = false;
  let reason = 'it ended by itself';
  let idle = Promise.withResolvers<void>();

  const settled = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const answer = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) {
      worker.unref();
      idle.resolve();
    }
    return answer;
  };
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ready') isReady = true;
    else if (message.kind === 'warning') log.warn(message.message, message.fields);
    else if (message.kind === 'answer') settled(message.id)?.resolve(message.answer);
    else settled(message.id)?.reject(receivedError(message.error));
  });
  worker.on('error', (error) => (reason = `${(error as Error).name}: ${(error as Error).message}`));
  const exit = Promise.withResolvers<void>();
  worker.once('exit', () => {
    for (const id of waiting.keys()) settled(id)?.reject(new ThreadEnded(reason));
    exit.resolve();
    gone(reason);
  });
  const post = (message: ToThread): void => worker.postMessage(message);
  return {
    asked: () => waiting.size,
    isReady: () => isReady,
    ask: (question) => {
      const id = (last += 1);
      post({ kind: 'question', id, ...question });
      if (waiting.size === 0) {
        worker.ref();
        idle = Promise.withResolvers();
      }
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
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
