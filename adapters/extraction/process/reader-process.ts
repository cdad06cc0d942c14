import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { ExtractionOutcome } from '../../../application/ports/document-reader.ts';
import type { FileRequest } from '../extract-file.ts';
import type { FromReader, ReaderSettings, ReadingProgress, ToReader } from './messages.ts';

export interface ReaderEvents {
  /** The libraries are loaded; documents sent from now on are read immediately. */
  ready(): void;
  read(id: number, outcome: ExtractionOutcome): void;
  /** The process has exited, for whatever reason. Called once, last. */
  ended(signal: NodeJS.Signals | null): void;
}

/** A child process that reads documents. */
interface ReaderProcess {
  read(documents: readonly { readonly id: number; readonly request: FileRequest }[]): void;
  drop(ids: readonly number[]): void;
  /** Resident memory in bytes, null when the system does not report it. */
  memory(): number | null;
  /** CPU time so far in milliseconds; null when the system does not report it. */
  processorMs(): number | null;
  /** Lets it exit once it has nothing to do. */
  retire(): void;
  kill(): void;
}

export interface ReaderOptions extends Pick<ReaderSettings, 'module' | 'memoryBytes'> {
  /** Old space of the heap. Buffers are outside of it and are covered by the resident memory check. */
  readonly heapMegabytes: number;
}

/**
 * No other programs, no native code, no writing, and from Node 25 on no network, because reading documents needs none
 * of it. Threads are for the watchdog; the reader itself then gives up network and threads under any Node.
 */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-worker'];

const MAIN = new URL('reader-main.ts', import.meta.url);

export type StartReader = (options: ReaderOptions, events: ReaderEvents) => ReaderProcess;

const PROGRESS_EVERY_MS = 10_000;

/** Starts a reader without environment variables, so that nothing in it can read a secret there. */
export const startReader = (
  options: ReaderOptions,
  events: ReaderEvents,
  onProgress?: (progress: ReadingProgress) => void,
  progressEveryMs = PROGRESS_EVERY_MS,
): ReaderProcess => {
  const { module, memoryBytes, heapMegabytes } = options;
  const settings: ReaderSettings = { module, memoryBytes, progressEveryMs };
  const child = fork(MAIN, [JSON.stringify(settings)], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, ...PERMISSIONS],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  lowerPriority(child.pid);
  let ended = false;
  const end = (signal: NodeJS.Signals | null): void => {
    if (ended) return;
    ended = true;
    events.ended(signal);
  };
  child.on('exit', (_, signal) => {
    // Replies that it has already sent may still be in the channel.
    if (child.connected) child.once('disconnect', () => end(signal));
    else end(signal);
  });
  // The process could not be started or killed, or a message did not reach it: it has exited or is killed now.
  child.on('error', () => {
    if (child.pid === undefined) end(null);
    else child.kill('SIGKILL');
  });
  child.on('message', (message: FromReader) => {
    if (message.type === 'ready') events.ready();
    else if (message.type === 'progress') onProgress?.(message.progress);
    else events.read(message.id, message.outcome);
  });
  child.unref();
  child.channel?.unref();
  const send = (message: ToReader): void => {
    if (child.connected) child.send(message);
  };
  return {
    read: (documents) => send({ type: 'read', documents }),
    drop: (ids) => send({ type: 'drop', ids }),
    memory: () => (child.pid === undefined ? null : residentMemory(child.pid)),
    processorMs: () => (child.pid === undefined ? null : processorMs(child.pid)),
    retire: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => {
      child.ref(); // a caller may wait for its end and nothing else
      child.kill('SIGKILL');
    },
  };
};

/** From procfs (proc(5)), which is cheap to read; in kilobytes, whatever the page size. */
const residentMemory = (pid: number): number | null => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null; // no procfs, or the process is just exiting
  }
};

/** A tick of proc(5) in milliseconds: Linux reports times in hundredths of a second on every architecture. */
const TICK_MS = 10;

/**
 * Of all its threads, in user mode and in the kernel: values 14 and 15, after a program name that may contain any
 * character.
 */
const processorMs = (pid: number): number | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const values = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(values[11]) + Number(values[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
};

/** When CPUs are scarce, a reader gets a third of a request's share; with 10 it would get a tenth, and starve. */
const NICENESS = 5;

/** Requests and database writes have priority when CPUs are scarce. */
const lowerPriority = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // The process has already exited, or the system does not allow it: it reads at the usual priority.
  }
};
