import { type Host, type StartHost, startHost } from './host-process.ts';
import {
  type FromHost,
  type HostSettings,
  type PageSource,
  type RenderOutcome,
  failedRender,
} from './messages.ts';
import { nonFileMemory, descendantsOf, isRendererProcess } from './process-tree.ts';
import { type BrowserProgram, prepareBrowser } from './program.ts';

export interface BrowserOptions extends Omit<HostSettings, 'executable' | 'folder'> {
  readonly program: BrowserProgram;
  /** Folder into which a bundled browser is unpacked. */
  readonly unpackedIn: string;
  /** Maximum number of open pages. */
  readonly pages: number;
  readonly start?: StartHost;
}

/** A page that is queued or open. */
export interface PageTask {
  readonly id: number;
  readonly source: PageSource;
  readonly mayLoad: (url: string) => Promise<boolean>;
  readonly settle: (outcome: RenderOutcome) => void;
}

/** A browser process from its start to its end. */
export interface RunningBrowser<Task extends PageTask> {
  /** Whether the browser accepts pages. */
  readonly isReady: () => boolean;
  readonly held: ReadonlyMap<number, Task>;
  readonly open: (task: Task) => void;
  /** Closes a page that the caller no longer waits for. */
  readonly close: (id: number) => void;
  /** Stops the browser for the reason `cause`. */
  readonly end: (cause: RenderOutcome) => void;
}

interface BrowserHooks {
  /** The browser is ready, or has finished a page: it can take another one. */
  readonly room: () => void;
  /** The browser has exited with its open pages, for this cause. Called once, last. */
  readonly ended: (cause: RenderOutcome) => void;
}

const START_MS = 60_000;
const WATCH_EVERY_MS = 200;
/** Extra time after a page's timeout before the browser counts as unresponsive. */
const GRACE_MS = 5_000;

/** Starts a browser immediately. */
export const runBrowser = <Task extends PageTask>(
  options: BrowserOptions,
  hooks: BrowserHooks,
): RunningBrowser<Task> => {
  const { limits, pages, start = startHost } = options;
  const held = new Map<number, Task>();
  const deadlines = new Map<number, NodeJS.Timeout>();
  let host: Host | null = null;
  let group: number | null = null;
  let [ready, gone] = [false, false];
  let verdict: RenderOutcome | null = null;

  const end = (cause: RenderOutcome): void => {
    verdict ??= cause;
    host?.kill(group);
  };
  const notStarted = setTimeout(() => end(browserFailure('it did not start in time')), START_MS).unref();
  const watch = setInterval(() => {
    if (held.size === 0 || host?.pid === undefined) return;
    if (!killOversized(host.pid, limits.memoryBytes, pages)) return;
    end(failedRender('out_of_memory', 'the browser took more memory than all its pages may'));
  }, WATCH_EVERY_MS).unref();

  const ended = (said: string): void => {
    if (gone) return;
    gone = true;
    clearTimeout(notStarted);
    clearInterval(watch);
    for (const deadline of deadlines.values()) clearTimeout(deadline);
    hooks.ended(verdict ?? browserFailure(said.split('\n')[0] || 'the browser ended'));
  };
  const done = (id: number, outcome: RenderOutcome): void => {
    const task = held.get(id);
    held.delete(id);
    clearTimeout(deadlines.get(id));
    deadlines.delete(id);
    task?.settle(outcome);
    hooks.room();
  };
  const answer = ({ id, question, url }: Extract<FromHost, { type: 'ask' }>): void => {
    const told = (allowed: boolean): void => host?.send({ type: 'answer', question, allowed });
    const task = held.get(id);
    if (task === undefined) told(false);
    else task.mayLoad(url).then(told, () => told(false));
  };
  const hear = (message: FromHost): void => {
    switch (message.type) {
      case 'ready':
        clearTimeout(notStarted);
        ready = true;
        group = message.browser;
        return hooks.room();
      case 'unstartable':
        verdict = browserFailure(message.message);
        return;
      case 'ask':
        return answer(message);
      case 'done':
        return done(message.id, message.outcome);
    }
  };
  const begin = async (): Promise<void> => {
    try {
      const executable = await prepareBrowser(options.program, options.unpackedIn);
      const { sandbox, userAgent, allowAddresses } = options;
      const settings = { executable, sandbox, userAgent, allowAddresses, limits };
      host = await start(settings, { message: hear, ended });
      if (verdict !== null) host.kill(group);
    } catch (error) {
      ended((error as Error).message);
    }
  };

  void begin();
  return {
    isReady: () => ready && !gone,
    held,
    open: (task) => {
      held.set(task.id, task);
      host?.send({ type: 'open', id: task.id, source: task.source });
      const late = failedRender(
        'timed_out',
        `its scripts did not come to an end within ${limits.timeoutMs} ms`,
      );
      deadlines.set(
        task.id,
        setTimeout(() => end(late), limits.timeoutMs + GRACE_MS),
      );
    },
    close: (id) => host?.send({ type: 'close', id }),
    end,
  };
};

/** A failure of the browser itself. */
export const browserFailure = (message: string): RenderOutcome => failedRender('browser_failed', message);

/** Memory of the browser itself, without its pages. */
const BROWSER_MEMORY_BYTES = 768 * 1_024 ** 2;

/**
 * Kills each page process below `pid` that uses more than `memoryBytes`: the browser survives and reports which page it
 * was.
 *
 * @returns whether all processes together use more than this number of pages may, so that the browser must stop
 */
const killOversized = (pid: number, memoryBytes: number, pages: number): boolean => {
  let total = 0;
  for (const each of descendantsOf(pid)) {
    const memory = nonFileMemory(each);
    total += memory;
    if (memory > memoryBytes && isRendererProcess(each)) end(each);
  }
  return total > pages * memoryBytes + BROWSER_MEMORY_BYTES;
};

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has exited
  }
};
