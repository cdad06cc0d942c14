import type { FailedExtraction } from '../../../application/ports/document-reader.ts';
import type { ReaderOptions, StartReader } from './reader-process.ts';
import type { Task } from './messages.ts';

/** A reader process with what it has to do. */
export interface Reader {
  /** The first one is being read. */
  readonly held: Task[];
  state(): 'starting' | 'ready' | 'retired' | 'ended';
  /** Documents read so far. */
  served(): number;
  /** Whether it keeps so much memory between documents that a new one were better. */
  bloated(): boolean;
  /** Milliseconds since it began the document that it reads. */
  busyFor(now: number): number;
  give(tasks: readonly Task[], now: number): void;
  /** What it has not begun, to be read elsewhere. */
  takeBack(): Task[];
  /** Ends the process if it does not come up, or if the document that it reads is beyond a limit. */
  check(now: number): void;
  /** Lets it end by itself. It must hold nothing. */
  retire(): void;
  kill(): void;
}

interface ReaderHooks {
  /** It came up or is done with a task: there may be room for more. */
  room(): void;
  /** The process is gone; `cause` is what that says of the task that it was reading. Comes once, last. */
  ended(reader: Reader, cause: FailedExtraction): void;
}

const START_MS = 60_000;
/** So many times its processor time may pass by the clock: on a machine that is busy, or while its reader waits. */
const WALL_TIME_FACTOR = 10;
/** Memory that a parser leaks shows over many documents; a large one before the next collection proves nothing. */
const WEIGHED_EVERY = 100;
/** A document that nobody waits for any more may still finish, since starting a process costs more. */
const ABANDONED_MS = 1_000;

export const createReader = (
  options: ReaderOptions & { readonly start: StartReader },
  hooks: ReaderHooks,
  now: () => number,
): Reader => {
  const held: Task[] = [];
  let state: ReturnType<Reader['state']> = 'starting';
  let since = now();
  let usedBefore: number | null = 0;
  let served = 0;
  let bloated = false;
  let verdict: FailedExtraction | null = null;

  const process = options.start(options, {
    ready: () => {
      if (state === 'starting') state = 'ready';
      hooks.room();
    },
    read: (id, outcome) => {
      const task = held.find((candidate) => candidate.id === id);
      if (task === undefined) return; // taken back just when it was begun
      held.splice(held.indexOf(task), 1);
      begin(now());
      served += 1;
      if (served % WEIGHED_EVERY === 0) bloated ||= (process.memory() ?? 0) > options.memoryBytes / 2;
      task.settle(outcome);
      hooks.room();
    },
    ended: (signal) => {
      state = 'ended';
      hooks.ended(reader, verdict ?? unforeseen(signal));
    },
  });

  /** The first of those that it holds is being read from now on. */
  const begin = (at: number): void => {
    since = at;
    usedBefore = process.processorMs();
  };
  const end = (cause: FailedExtraction): void => {
    verdict ??= cause;
    process.kill();
  };
  /** A busy parent may see the clock before it sees the answer: first what lies in the channel is read. */
  const endUnlessAnswered = (task: Task | undefined, cause: FailedExtraction): void => {
    setImmediate(() => {
      if (held[0] === task && state !== 'ended') end(cause);
    });
  };
  const checkTask = (task: Task, elapsed: number): void => {
    const { timeMs, memoryBytes } = task.request.limits;
    const usedNow = process.processorMs();
    const used = usedNow === null || usedBefore === null ? null : usedNow - usedBefore;
    const patience = used === null ? timeMs : WALL_TIME_FACTOR * timeMs;
    if (used !== null && used > timeMs) {
      endUnlessAnswered(task, failed('timed_out', `it took more than ${timeMs} ms of processor time`));
    } else if (elapsed > (task.abandoned ? Math.min(ABANDONED_MS, timeMs) : patience)) {
      endUnlessAnswered(task, failed('timed_out', `it was not read within ${patience} ms`));
    }
    const memory = process.memory();
    if (memory !== null && memory > memoryBytes) {
      end(failed('out_of_memory', `reading it took more than ${memoryBytes} bytes of memory`));
    }
  };

  const reader: Reader = {
    held,
    state: () => state,
    served: () => served,
    bloated: () => bloated,
    busyFor: (at) => at - since,
    give: (tasks, at) => {
      if (held.length === 0) begin(at);
      held.push(...tasks);
      process.read(tasks.map(({ id, request }) => ({ id, request })));
    },
    takeBack: () => {
      const tasks = held.splice(1);
      process.drop(tasks.map((task) => task.id));
      return tasks;
    },
    check: (at) => {
      if (held[0] !== undefined) checkTask(held[0], at - since);
      else if (state === 'starting' && at - since > START_MS) {
        endUnlessAnswered(undefined, failed('timed_out', 'the reader did not start'));
      }
    },
    retire: () => {
      state = 'retired';
      process.retire();
    },
    kill: () => process.kill(),
  };
  return reader;
};

const failed = (code: FailedExtraction['code'], message: string): FailedExtraction => ({
  kind: 'failed',
  code,
  message,
});

/** V8 ends the process itself when its heap is full; the watchdog and the system's guard kill. */
const unforeseen = (signal: NodeJS.Signals | null): FailedExtraction =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL'
    ? failed('out_of_memory', 'the reader ran out of memory')
    : failed(
        'parser_failed',
        signal === null ? 'the reader broke down on it' : `the reader broke down on it (${signal})`,
      );
