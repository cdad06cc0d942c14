import { type Host, type StartHost, startHost } from './host-process.ts';
import {
  type FromHost,
  type HostSettings,
  type PageSource,
  type RenderOutcome,
  failedRender,
} from './messages.ts';
import { ownMemory, processesBelow, runsPages } from './process-tree.ts';
import { type BrowserProgram, readyProgram } from './program.ts';

export interface BrowserOptions extends Omit<HostSettings, 'executable' | 'folder'> {
  readonly program: BrowserProgram;
  /** Where a browser out of a package is unpacked. */
  readonly unpackedIn: string;
  /** Open at once. */
  readonly pages: number;
  readonly start?: StartHost;
}

/** A page that is to be opened, or is open. */
export interface PageTask {
  readonly id: number;
  readonly source: PageSource;
  readonly mayLoad: (url: string) => Promise<boolean>;
  readonly settle: (outcome: RenderOutcome) => void;
}

/** A browser from its start to its end. */
export interface RunningBrowser<Task extends PageTask> {
  /** Whether pages may be opened. */
  readonly isReady: () => boolean;
  readonly held: ReadonlyMap<number, Task>;
  readonly open: (task: Task) => void;
  /** Nobody waits for the page any more. */
  readonly close: (id: number) => void;
  /** Ends it; `cause` is then why. */
  readonly end: (cause: RenderOutcome) => void;
}

interface BrowserHooks {
  /** It is ready, or done with a page: there is room for another. */
  readonly room: () => void;
  /** It is gone, with the pages that it holds, for this cause. Comes once, last. */
  readonly ended: (cause: RenderOutcome) => void;
}

const START_MS = 60_000;
const WATCH_EVERY_MS = 200;
/** Beyond the time that a page has: then the browser does not answer any more. */
const GRACE_MS = 5_000;

/** Starts a browser at once. */
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
  const notStarted = setTimeout(() => end(broken('it did not start in time')), START_MS).unref();
  const watch = setInterval(() => {
    if (held.size === 0 || host?.pid === undefined) return;
    if (!overfull(host.pid, limits.memoryBytes, pages)) return;
    end(failedRender('out_of_memory', 'the browser took more memory than all its pages may'));
  }, WATCH_EVERY_MS).unref();

  const ended = (said: string): void => {
    if (gone) return;
    gone = true;
    clearTimeout(notStarted);
    clearInterval(watch);
    for (const deadline of deadlines.values()) clearTimeout(deadline);
    hooks.ended(verdict ?? broken(said.split('\n')[0] || 'the browser ended'));
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
        verdict = broken(message.message);
        return;
      case 'ask':
        return answer(message);
      case 'done':
        return done(message.id, message.outcome);
    }
  };
  const begin = async (): Promise<void> => {
    try {
      const executable = await readyProgram(options.program, options.unpackedIn);
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
export const broken = (message: string): RenderOutcome => failedRender('browser_failed', message);

/** Of the browser itself, beside its pages. */
const BESIDE_PAGES = 768 * 1_024 ** 2;

/**
 * Ends each process below `pid` that runs pages and takes more than `memoryBytes`: the browser lives on, and tells whose
 * it was. Answers whether all of them together take more than so many pages may, so that the browser must end.
 */
const overfull = (pid: number, memoryBytes: number, pages: number): boolean => {
  let total = 0;
  for (const each of processesBelow(pid)) {
    const memory = ownMemory(each);
    total += memory;
    if (memory > memoryBytes && runsPages(each)) end(each);
  }
  return total > pages * memoryBytes + BESIDE_PAGES;
};

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
};
