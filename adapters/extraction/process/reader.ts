import type { FailedExtraction } from '../../../application/ports/document-reader.ts';
import type { ReaderOptions, StartReader } from './reader-process.ts';
import type { Task } from './messages.ts';

/** A reader process with its tasks. */
export interface Reader {
  /** The first one is being read. */
  readonly held: Task[];
  state(): 'starting' | 'ready' | 'retired' | 'ended';
  /** Documents read so far. */
  served(): number;
  /** Whether it kept so much memory after its last document that it should be replaced. */
  heavy(): boolean;
  /** Whether it has read since it was last weighed: `check` weighs it once when it has rested. */
  unweighed(): boolean;
  /** Milliseconds since it began the current document. */
  busyFor(now: number): number;
  give(tasks: readonly Task[], now: number): void;
  /** Returns the tasks that it has not begun, for other readers. */
  takeBack(): Task[];
  /** Kills the process if it does not start, or if its current document exceeds a limit; weighs it when it rests. */
  check(now: number): void;
  /** Lets it exit. It must have no tasks. */
  retire(): void;
  kill(): void;
}

interface ReaderHooks {
  /** It has started or finished a task: it may take more. */
  room(): void;
  /** It has become heavy. */
  heavy(): void;
  /** The process has exited; `cause` is the outcome for the task that it was reading. Called once, last. */
  ended(reader: Reader, cause: FailedExtraction): void;
}

const START_MS = 60_000;
/** The wall clock limit is this multiple of the CPU time limit: a machine may be busy, or the reader waiting. */
const WALL_TIME_FACTOR = 10;
/** What a reader still keeps after a rest of this length, it keeps for ever. */
const REST_MS = 10_000;
/** Of its memory at the start. Caches of ordinary documents take a third more; large ones leave twice as much. */
const HEAVY_FACTOR = 1.5;
/** An abandoned document may still finish, because starting a process costs more. */
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
  let atStart = Infinity;
  let heavy = false;
  let unweighed = false;
  let verdict: FailedExtraction | null = null;

  const process = options.start(options, {
    ready: () => {
      if (state === 'starting') state = 'ready';
      atStart = process.memory() ?? Infinity;
      hooks.room();
    },
    read: (id, outcome) => {
      const task = held.find((candidate) => candidate.id === id);
      if (task === undefined) return; // taken back just when it was started
      held.splice(held.indexOf(task), 1);
      begin(now());
      served += 1;
      unweighed = true;
      task.settle(outcome);
      hooks.room();
    },
    ended: (signal) => {
      state = 'ended';
      hooks.ended(reader, verdict ?? unforeseen(signal));
    },
  });

  /** The first of its tasks is being read from now on. */
  const begin = (at: number): void => {
    since = at;
    usedBefore = process.processorMs();
  };
  const end = (cause: FailedExtraction): void => {
    verdict ??= cause;
    process.kill();
  };
  /** A busy parent may see the timeout before the reply: it first reads the channel. */
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

  const weigh = (): void => {
    unweighed = false;
    if ((process.memory() ?? 0) <= HEAVY_FACTOR * atStart) return;
    heavy = true;
    hooks.heavy();
  };

  const reader: Reader = {
    held,
    state: () => state,
    served: () => served,
    heavy: () => heavy,
    unweighed: () => unweighed && state === 'ready',
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
      } else if (reader.unweighed() && at - since > REST_MS) weigh();
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

/** V8 ends the process itself when its heap is full; the watchdog and the system's OOM killer kill it. */
const unforeseen = (signal: NodeJS.Signals | null): FailedExtraction =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL'
    ? failed('out_of_memory', 'the reader ran out of memory')
    : failed(
        'parser_failed',
        signal === null ? 'the reader crashed on it' : `the reader crashed on it (${signal})`,
      );
