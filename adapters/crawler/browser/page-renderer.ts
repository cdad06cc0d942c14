import type { BrowserProgram } from './program.ts';
import { type Host, startHost, type StartHost } from './host-process.ts';
import {
  failedRender,
  type FromHost,
  type HostSettings,
  type PageSource,
  type RenderOutcome,
} from './messages.ts';
import { overfull } from './memory-watch.ts';
import { readyProgram } from './unpack.ts';

export interface RendererOptions extends Omit<HostSettings, 'executable' | 'folder'> {
  readonly program: BrowserProgram;
  /** Where a browser out of a package is unpacked. */
  readonly unpackedIn: string;
  /** Open at once. */
  readonly pages: number;
  /** The browser ends when nothing was opened for so long, and starts again with the next page. Default 60 s. */
  readonly idleMs?: number;
  /** Told each time that the browser did not start. */
  readonly onUnstartable?: (why: string) => void;
  readonly start?: StartHost;
}

export interface PageRenderer {
  /**
   * Waits for its turn, and answers what the scripts of the page made. `mayLoad` is asked for everything that it loads.
   * A page during which the browser ended gets one more try, alone. Never rejects for what a page does.
   *
   * @throws the reason of `signal` as soon as it aborts
   */
  readonly render: (
    source: PageSource,
    mayLoad: (url: string) => Promise<boolean>,
    signal: AbortSignal,
  ) => Promise<RenderOutcome>;
  /** Why the browser does not start; null: it does, or was not tried, or is to be tried again. */
  readonly unstartable: () => string | null;
  /** Ends the browser; whoever waits is told that it failed. */
  readonly close: () => Promise<void>;
}

interface Task {
  readonly id: number;
  readonly source: PageSource;
  readonly mayLoad: (url: string) => Promise<boolean>;
  readonly settle: (outcome: RenderOutcome) => void;
  /** The browser ended while it was open. */
  alone: boolean;
  deadline?: NodeJS.Timeout;
}

/** A browser, once it has begun to start. */
interface Running {
  host: Host | null;
  group: number | null;
  ready: boolean;
  /** Why it was made to end. */
  verdict: RenderOutcome | null;
}

const START_MS = 60_000;
/** After a start that failed, pages fail at once for so long. */
const START_AGAIN_MS = 30_000;
const WATCH_EVERY_MS = 200;
/** Beyond the time that the page has: then nobody answers any more. */
const GRACE_MS = 5_000;

/** One browser for all pages, started when the first is to be opened. */
export const createPageRenderer = (options: RendererOptions): PageRenderer => {
  const { limits, pages, idleMs = 60_000, start = startHost } = options;
  const waiting: Task[] = [];
  const held = new Map<number, Task>();
  let running: Running | null = null;
  let failure: { readonly message: string; readonly at: number } | null = null;
  let timers: NodeJS.Timeout[] = [];
  let closed: PromiseWithResolvers<void> | null = null;
  let count = 0;

  const unstartable = (): string | null =>
    failure === null || performance.now() - failure.at > START_AGAIN_MS ? null : failure.message;
  const clearTimers = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const kill = (of: Running, verdict: RenderOutcome | null): void => {
    of.verdict ??= verdict;
    of.host?.kill(of.group);
  };
  const later = (ms: number, then: () => void): void => {
    timers.push(setTimeout(then, ms).unref());
  };

  const begin = async (): Promise<void> => {
    const own: Running = { host: null, group: null, ready: false, verdict: null };
    running = own;
    const ended = (said: string): void => goneBy(own, said);
    try {
      const executable = await readyProgram(options.program, options.unpackedIn);
      const { sandbox, userAgent, allowAddresses } = options;
      const settings = { executable, sandbox, userAgent, allowAddresses, limits };
      own.host = await start(settings, { message: (message) => told(own, message), ended });
      if (closed !== null) kill(own, null);
      else later(START_MS, () => own.ready || kill(own, failed('it did not start in time')));
    } catch (error) {
      ended((error as Error).message);
    }
  };

  const told = (of: Running, message: FromHost): void => {
    switch (message.type) {
      case 'ready':
        of.ready = true;
        of.group = message.browser;
        failure = null;
        return dispatch();
      case 'unstartable':
        of.verdict = failed(message.message);
        return;
      case 'ask': {
        const answer = (allowed: boolean): void =>
          of.host?.send({ type: 'answer', question: message.question, allowed });
        const task = held.get(message.id);
        if (task === undefined) return answer(false);
        task.mayLoad(message.url).then(answer, () => answer(false));
        return;
      }
      case 'done':
        return done(message.id, message.outcome);
    }
  };
  const done = (id: number, outcome: RenderOutcome): void => {
    const task = held.get(id);
    held.delete(id);
    clearTimeout(task?.deadline);
    task?.settle(outcome);
    dispatch();
  };

  /** The browser has ended: the fault of the page that it was alone with, or of nobody who could be named. */
  const goneBy = (of: Running, said: string): void => {
    if (running !== of) return;
    running = null;
    clearTimers();
    const cause = of.verdict ?? failed(said.split('\n')[0] || 'the browser ended');
    const open = [...held.values()];
    held.clear();
    for (const task of open) clearTimeout(task.deadline);
    if (closed !== null) return closed.resolve();
    if (!of.ready) {
      failure = { message: messageIn(cause), at: performance.now() };
      options.onUnstartable?.(failure.message);
      for (const task of waiting.splice(0)) task.settle(cause);
      return;
    }
    for (const task of open) {
      if (task.alone || open.length === 1) task.settle(cause);
      else waiting.unshift(Object.assign(task, { alone: true }));
    }
    dispatch();
  };

  const mayOpen = (task: Task): boolean => {
    if (held.size === 0) return true;
    return held.size < pages && !task.alone && ![...held.values()].some(({ alone }) => alone);
  };
  const dispatch = (): void => {
    if (closed !== null) return;
    if (running === null && waiting.length > 0) return void begin();
    if (running?.ready !== true) return;
    const of = running;
    for (let next = waiting[0]; next !== undefined && mayOpen(next); next = waiting[0]) {
      waiting.shift();
      open(of, next);
    }
    clearTimers();
    if (held.size > 0) watch(of);
    else later(idleMs, () => kill(of, null));
  };
  const open = (of: Running, task: Task): void => {
    held.set(task.id, task);
    of.host?.send({ type: 'open', id: task.id, source: task.source });
    const late = failedRender(
      'timed_out',
      `its scripts did not come to an end within ${limits.timeoutMs} ms`,
    );
    task.deadline = setTimeout(() => kill(of, late), limits.timeoutMs + GRACE_MS);
  };
  const watch = (of: Running): void =>
    later(WATCH_EVERY_MS, () => {
      const host = of.host?.pid;
      if (host !== undefined && overfull(host, limits.memoryBytes, pages)) {
        kill(of, failedRender('out_of_memory', 'the browser took more memory than all its pages may'));
      } else watch(of);
    });

  return {
    render: async (source, mayLoad, signal) => {
      signal.throwIfAborted();
      if (closed !== null) return failed('the service is stopping');
      const why = unstartable();
      if (why !== null) return failed(why);
      const { promise, resolve, reject } = Promise.withResolvers<RenderOutcome>();
      count += 1;
      const task: Task = { id: count, source, mayLoad, settle: resolve, alone: false };
      const onAbort = (): void => {
        reject(signal.reason);
        const place = waiting.indexOf(task);
        if (place >= 0) waiting.splice(place, 1);
        else running?.host?.send({ type: 'close', id: task.id });
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(task);
      dispatch();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    unstartable,
    close: async () => {
      if (closed !== null) return closed.promise;
      closed = Promise.withResolvers();
      clearTimers();
      for (const task of [...waiting.splice(0), ...held.values()])
        task.settle(failed('the service is stopping'));
      if (running === null) closed.resolve();
      else kill(running, null);
      return closed.promise;
    },
  };
};

const failed = (message: string): RenderOutcome => failedRender('browser_failed', message);

const messageIn = (outcome: RenderOutcome): string => ('message' in outcome ? outcome.message : '');
