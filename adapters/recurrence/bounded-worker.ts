import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Of `deadlineMs` each, for a thread that a busy machine leaves waiting. */
const TURNS = 4;

export interface BoundedWorkerOptions {
  /** a module that posts any message once it listens, and then exactly one answer to each question */
  readonly script: URL;
  /**
   * time for one answer, in milliseconds; neither waiting for earlier questions nor starting counts, and on a
   * busy machine it is stretched as `startDeadline` says
   */
  readonly deadlineMs: number;
  readonly heapMb: number;
}

export type BoundedAnswer<Answer> =
  | { readonly answered: true; readonly answer: Answer }
  | { readonly answered: false };

/** A worker thread that is asked one question at a time and is ended when an answer takes too much. */
export interface BoundedWorker<Question, Answer> {
  /**
   * Not answered: the deadline passed or the heap was used up; the thread is gone and the next question gets a
   * new one. Rejects with what the script threw, and after `close`.
   */
  ask(question: Question): Promise<BoundedAnswer<Answer>>;
  /** Ends the thread; resolves when it is gone. */
  close(): Promise<void>;
}

export function createBoundedWorker<Question, Answer>(
  options: BoundedWorkerOptions,
): BoundedWorker<Question, Answer> {
  let current: Worker | undefined;
  /** threads that have not ended yet: the current one, and failed ones on their way out */
  const threads = new Set<Worker>();
  let tail: Promise<unknown> = Promise.resolve();
  let closed = false;

  const running = async (): Promise<Worker> => {
    if (closed) throw new Error('the worker is closed');
    if (current !== undefined) return current;
    const worker = start(options);
    current = worker;
    const forget = (): void => {
      if (current === worker) current = undefined;
    };
    // the listener also keeps the error of an idle thread from ending the process; whoever asks hears of it
    worker.once('error', forget).once('exit', forget);
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
    await ready(worker);
    return worker;
  };

  const askNow = async (question: Question): Promise<BoundedAnswer<Answer>> => {
    const worker = await running();
    const reply = await firstAnswer<Answer>(worker, question, options.deadlineMs);
    if (!reply.answered) {
      current = undefined;
      await worker.terminate();
      if (closed) throw new Error('the worker was closed');
    }
    return reply;
  };

  return {
    ask: (question) => {
      const asked = tail.then(async () => askNow(question));
      tail = asked.catch(() => undefined);
      return asked;
    },
    close: async () => {
      closed = true;
      await Promise.all(Array.from(threads, (worker) => worker.terminate()));
      await tail;
    },
  };
}

function start({ script, heapMb }: BoundedWorkerOptions): Worker {
  return new Worker(script, {
    env: { TZ: 'UTC' },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

async function ready(worker: Worker): Promise<void> {
  const gone = new AbortController();
  worker.once('exit', () => gone.abort(new Error('the worker ended before it was ready')));
  // rejects with what the script threw while it loaded
  await once(worker, 'message', { signal: gone.signal });
  // an idle thread does not keep the process alive; a question under way does, by its timer
  worker.unref();
}

function firstAnswer<Answer>(
  worker: Worker,
  question: unknown,
  deadlineMs: number,
): Promise<BoundedAnswer<Answer>> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: BoundedAnswer<Answer> | Error): void => {
      stopDeadline();
      worker.off('message', onMessage).off('error', onError).off('exit', onEnd);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onMessage = (answer: Answer): void => settle({ answered: true, answer });
    const onError = (error: unknown): void =>
      settle(isOutOfMemory(error) ? { answered: false } : asError(error));
    const onEnd = (): void => settle({ answered: false });
    const stopDeadline = startDeadline(worker, deadlineMs, onEnd);
    worker.on('message', onMessage).on('error', onError).on('exit', onEnd);
    worker.postMessage(question);
  });
}

/**
 * Calls `passed` once when the time for a question is over, unless the returned function was called before. A
 * thread that has had less than half of `deadlineMs` in processor time by then, since the machine is busy, gets
 * another turn, up to four: a load from elsewhere must not make a rule too costly. So an answer that came while
 * this thread was busy counts as well.
 */
function startDeadline(worker: Worker, deadlineMs: number, passed: () => void): () => void {
  const begun = processorTime(worker);
  let turns = 0;
  let cancelled = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    timer = setTimeout(() => void check(), deadlineMs);
  };
  const over = (): void => {
    cancelled = true;
    passed();
  };
  const check = async (): Promise<void> => {
    if (cancelled) return;
    // a thread that does not even tell its time gets no more of it
    timer = setTimeout(over, deadlineMs);
    const used = (await processorTime(worker)) - (await begun);
    if (cancelled) return;
    clearTimeout(timer);
    turns += 1;
    if (turns < TURNS && used < deadlineMs / 2) turn();
    else over();
  };
  turn();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}

/** Processor time that a thread has used, in milliseconds; NaN when it has ended. */
async function processorTime(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Number.NaN;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
