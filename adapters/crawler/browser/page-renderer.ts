import type { Browser } from '../../../application/ports/page-fetcher.ts';

import { type PageSource, type RenderOutcome, failedRender } from './messages.ts';
import type { BrowserProgram } from './program.ts';
import {
  type BrowserOptions,
  type PageTask,
  type RunningBrowser,
  browserFailure,
  runBrowser,
} from './running-browser.ts';

export interface RendererOptions extends BrowserOptions {
  /** The browser exits when no page was opened for this long, and starts again with the next page. Default 60 s. */
  readonly idleMs?: number;
  /** After a failed start, pages fail immediately for this long; then the start is tried again. Default 30 s. */
  readonly startAgainMs?: number;
  /** Called each time the browser fails to start. */
  readonly onUnstartable?: (why: string) => void;
}

export interface PageRenderer {
  /**
   * Waits for a free slot, and returns the page after its scripts ran. Calls `mayLoad` for everything that the page
   * loads. A page during which the browser crashed gets one more attempt, alone. Never rejects because of a page.
   *
   * @throws the reason of `signal` as soon as it aborts
   */
  readonly render: (
    source: PageSource,
    mayLoad: (url: string) => Promise<boolean>,
    signal: AbortSignal,
  ) => Promise<RenderOutcome>;
  /** Why the browser does not start; null when it starts, was not started yet, or may be tried again. */
  readonly unstartable: () => string | null;
  /** Stops the browser; waiting callers get a failure. */
  readonly close: () => Promise<void>;
}

interface Task extends PageTask {
  /**
   * The browser crashed while this page was open together with others. Opening it alone shows whether it is the cause.
   */
  alone: boolean;
}

const STOPPING = browserFailure('the service is stopping');

/** One browser for all pages; it starts with the first page. */
export const createPageRenderer = (options: RendererOptions): PageRenderer => {
  const { pages, idleMs = 60_000, startAgainMs = 30_000 } = options;
  const waiting: Task[] = [];
  let browser: RunningBrowser<Task> | null = null;
  let failure: { readonly message: string; readonly at: number } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed: PromiseWithResolvers<void> | null = null;
  let count = 0;

  const unstartable = (): string | null =>
    failure === null || performance.now() - failure.at > startAgainMs ? null : failure.message;

  const ended = (of: RunningBrowser<Task>, wasReady: boolean, cause: RenderOutcome): void => {
    browser = null;
    clearTimeout(idle);
    if (closed !== null) return closed.resolve();
    if (!wasReady) {
      failure = { message: 'message' in cause ? cause.message : '', at: performance.now() };
      options.onUnstartable?.(failure.message);
      for (const task of waiting.splice(0)) task.settle(cause);
    }
    const open = [...of.held.values()];
    for (const task of open) {
      if (task.alone || open.length === 1) task.settle(cause);
      else waiting.unshift(Object.assign(task, { alone: true }));
    }
    dispatch();
  };
  const start = (): void => {
    let ready = false;
    const own = runBrowser<Task>(options, {
      room: () => {
        ready = true;
        failure = null;
        dispatch();
      },
      ended: (cause) => ended(own, ready, cause),
    });
    browser = own;
  };

  const mayOpen = (task: Task, held: ReadonlyMap<number, Task>): boolean => {
    if (held.size === 0) return true;
    return held.size < pages && !task.alone && ![...held.values()].some(({ alone }) => alone);
  };
  const dispatch = (): void => {
    if (closed !== null) return;
    if (browser === null) {
      if (waiting.length > 0) start();
      return;
    }
    const own = browser;
    if (!own.isReady()) return;
    for (let next = waiting[0]; next !== undefined && mayOpen(next, own.held); next = waiting[0]) {
      waiting.shift();
      own.open(next);
    }
    clearTimeout(idle);
    if (own.held.size === 0)
      idle = setTimeout(() => own.end(browserFailure('nobody needed it')), idleMs).unref();
  };

  return {
    render: async (source, mayLoad, signal) => {
      signal.throwIfAborted();
      if (closed !== null) return STOPPING;
      const why = unstartable();
      if (why !== null) return browserFailure(why);
      const { promise, resolve, reject } = Promise.withResolvers<RenderOutcome>();
      count += 1;
      const task: Task = { id: count, source, mayLoad, settle: resolve, alone: false };
      const onAbort = (): void => {
        reject(signal.reason);
        const place = waiting.indexOf(task);
        if (place >= 0) waiting.splice(place, 1);
        else browser?.close(task.id);
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
      for (const task of waiting.splice(0)) task.settle(STOPPING);
      if (browser === null) return closed.resolve();
      for (const task of browser.held.values()) task.settle(STOPPING);
      browser.end(STOPPING);
      return closed.promise;
    },
  };
};

export interface MaybeBrowserOptions extends Omit<RendererOptions, 'program'> {
  /** Null when there is none. */
  readonly program: BrowserProgram | null;
  /** Why there is none, and what to do about it. */
  readonly missing: string;
}

export interface PagesInBrowser extends Browser, Pick<PageRenderer, 'render' | 'close'> {}

/** The browser of this machine, or a stand-in that fails every page when there is none. */
export const createBrowser = ({ program, missing, ...options }: MaybeBrowserOptions): PagesInBrowser => {
  const renderer = program === null ? null : createPageRenderer({ ...options, program });
  return {
    missing: () => {
      if (renderer === null) return missing;
      const why = renderer.unstartable();
      return why === null ? null : `it does not start: ${why}`;
    },
    render: async (source, mayLoad, signal) =>
      renderer === null
        ? failedRender('browser_failed', `there is no browser here: ${missing}`)
        : renderer.render(source, mayLoad, signal),
    close: async () => renderer?.close(),
  };
};
