import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { FromThread, ThreadRequest, ToThread } from './messages.ts';
import { receivedError } from './sent-error.ts';

/** Checks for signs of life while requests are pending. */
interface HeartbeatWatch {
  /** Requests are pending from now on. */
  readonly begin: () => void;
  readonly heard: () => void;
  /** No requests are pending any longer. */
  readonly end: () => void;
}

/**
 * Calls `silent` if nothing is heard for `maxMs()` although `ask` is called every `everyMs`. Counts probes
 * instead of time, because the thread is not at fault while this thread or the whole machine is suspended.
 *
 * @param maxMs may change with the awaited state
 */
const watchHeartbeat = (
  { everyMs, maxMs }: { readonly everyMs: number; readonly maxMs: () => number },
  { ask, silent }: { readonly ask: () => void; readonly silent: () => void },
): HeartbeatWatch => {
  let timer: NodeJS.Timeout | undefined;
  let missed = 0;
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const probe = (): void => {
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
      timer ??= setInterval(probe, everyMs).unref();
    },
    heard: () => {
      missed = 0;
    },
    end,
  };
};

/** Times in milliseconds. */
export interface ThreadLimits {
  /** Timeout of a request. Longer than a database statement may take. */
  readonly requestMs: number;
  /**
   * Time without a sign of life, with requests pending, after which the thread is stopped. A thread that
   * waits for others, or is queued, still gives signs of life.
   */
  readonly silentMs: number;
  /** The same while the thread starts: its modules are compiled without interruption. */
  readonly startMs: number;
}
const DEFAULT_LIMITS: ThreadLimits = { requestMs: 90_000, silentMs: 15_000, startMs: 60_000 };

/** The thread has exited without a response. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export interface Thread {
  /** Number of pending requests. */
  readonly pendingCount: () => number;
  /** Whether the thread has started; requests before that are queued. */
  readonly isReady: () => boolean;
  /** @throws what the operation threw; ThreadEnded; DomainError unavailable on timeout */
  readonly ask: (request: ThreadRequest) => Promise<unknown>;
  /**
   * Lets the thread finish its pending requests and release its resources, for `endMs` at most. Resolves when
   * it has exited.
   */
  readonly end: () => Promise<void>;
}

export interface ThreadOptions {
  /** A module that calls `serveRequests`. */
  readonly script: URL;
  /** Passed to the thread at its start. */
  readonly data: unknown;
  /** How long its end may take, in milliseconds. */
  readonly endMs: number;
  /** Heap limit, without buffers. Default: the limit of this thread. */
  readonly heapMb?: number;
  /** Default: DEFAULT_LIMITS. */
  readonly limits?: ThreadLimits;
}

/** Why the thread has exited. */
export interface ThreadExit {
  readonly reason: string;
  /** Whether it was stopped because it gave no sign of life. */
  readonly silent: boolean;
}

/** Number of probes within the silence limit. */
const PROBES = 10;

/** Of the heap, where objects begin: V8 gives it more than 100 MB unless told, and searches are no quicker with those. */
const YOUNG_MB = 24;

const ownHeapMb = (): number => Math.ceil(getHeapStatistics().heap_size_limit / 1_024 ** 2);

/** Starts a thread. It keeps the process alive only while requests are pending. */
export const startThread = (
  { script, data, endMs, heapMb = ownHeapMb(), limits = DEFAULT_LIMITS }: ThreadOptions,
  onExit: (why: ThreadExit) => void,
): Thread => {
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  worker.unref();
  const pending = new Map<
    number,
    { readonly result: PromiseWithResolvers<unknown>; readonly late: NodeJS.Timeout }
  >();
  let last = 0;
  let isReady = false;
  let hasExited = false;
  let reason = 'it ended by itself';
  let idle = Promise.withResolvers<void>();
  const post = (message: ToThread): void => worker.postMessage(message);
  const silentMs = (): number => (isReady ? limits.silentMs : limits.startMs);
  const watch = watchHeartbeat(
    { everyMs: limits.silentMs / PROBES, maxMs: silentMs },
    {
      ask: () => post({ kind: 'probe' }),
      silent: () => {
        reason = `it gave no sign of life for ${silentMs() / 1_000} s`;
        rejectPending(true);
        void worker.terminate();
      },
    },
  );

  const settle = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const entry = pending.get(id);
    clearTimeout(entry?.late);
    pending.delete(id);
    if (pending.size === 0) {
      worker.unref();
      watch.end();
      idle.resolve();
    }
    return entry?.result;
  };
  const rejectPending = (silent: boolean): void => {
    if (hasExited) return;
    hasExited = true;
    for (const id of pending.keys()) settle(id)?.reject(new ThreadEnded(reason));
    onExit({ reason, silent });
  };
  worker.on('message', (message: FromThread) => {
    watch.heard();
    if (message.kind === 'ready') isReady = true;
    else if (message.kind === 'alive') return;
    else if (message.kind === 'result') settle(message.id)?.resolve(message.result);
    else settle(message.id)?.reject(receivedError(message.error));
  });
  worker.on('error', (error) => (reason = `${(error as Error).name}: ${(error as Error).message}`));
  const exit = Promise.withResolvers<void>();
  worker.once('exit', () => {
    rejectPending(false);
    exit.resolve();
  });
  return {
    pendingCount: () => pending.size,
    isReady: () => isReady,
    ask: (request) => {
      const id = (last += 1);
      post({ kind: 'request', id, ...request });
      if (pending.size === 0) {
        worker.ref();
        watch.begin();
        idle = Promise.withResolvers();
      }
      const result = Promise.withResolvers<unknown>();
      const tooLate = (): void =>
        settle(id)?.reject(
          new DomainError(
            'unavailable',
            `there was no answer within ${limits.requestMs / 1_000} s: try again`,
          ),
        );
      pending.set(id, { result, late: setTimeout(tooLate, limits.requestMs).unref() });
      return result.promise;
    },
    end: async () => {
      reason = 'the program stops';
      const late = setTimeout(() => void worker.terminate(), endMs);
      if (pending.size > 0) await Promise.race([idle.promise, exit.promise]);
      post({ kind: 'end' });
      worker.ref();
      await exit.promise;
      clearTimeout(late);
    },
  };
};
