import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { ExtractionOutcome } from '../../../application/ports/document-reader.ts';
import type { FileRequest } from '../extract-file.ts';
import type { FromReader, ReaderSettings, ToReader } from './messages.ts';

export interface ReaderEvents {
  /** Libraries are loaded; documents sent from now on are read at once. */
  ready(): void;
  read(id: number, outcome: ExtractionOutcome): void;
  /** The process is gone, for whatever reason. Comes once, last. */
  ended(signal: NodeJS.Signals | null): void;
}

/** A child process that reads documents. */
interface ReaderProcess {
  read(documents: readonly { readonly id: number; readonly request: FileRequest }[]): void;
  drop(ids: readonly number[]): void;
  /** Resident memory in bytes, null where the system does not tell. */
  memory(): number | null;
  /** Processor time that it has used so far, in milliseconds; null where the system does not tell. */
  processorMs(): number | null;
  /** Lets it end by itself once it has nothing to do. */
  retire(): void;
  kill(): void;
}

export interface ReaderOptions extends ReaderSettings {
  /** Old space of the heap. Buffers lie outside: resident memory is watched for them. */
  readonly heapMegabytes: number;
}

/**
 * No other programs, no native code, nothing written, and from Node 25 on no network: reading documents needs none of
 * it. Threads are for the watchdog; the reader itself then gives up network and threads under any Node.
 */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-worker'];

const MAIN = new URL('reader-main.ts', import.meta.url);

export type StartReader = (options: ReaderOptions, events: ReaderEvents) => ReaderProcess;

/** Starts a reader. It is given no environment: nothing that runs in it can read a secret there. */
export const startReader: StartReader = (options, events) => {
  const { module, memoryBytes, heapMegabytes } = options;
  const child = fork(MAIN, [JSON.stringify({ module, memoryBytes } satisfies ReaderSettings)], {
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
    // Answers that it sent before may still lie in the channel.
    if (child.connected) child.once('disconnect', () => end(signal));
    else end(signal);
  });
  // Not startable, not killable, or a message that no longer reached it: then it is gone or is made to go.
  child.on('error', () => {
    if (child.pid === undefined) end(null);
    else child.kill('SIGKILL');
  });
  child.on('message', (message: FromReader) => {
    if (message.type === 'ready') events.ready();
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
      child.ref(); // somebody may wait for its end and nothing else
      child.kill('SIGKILL');
    },
  };
};

/** From procfs (proc(5)), which answers from memory; in kilobytes, whatever the size of a page. */
const residentMemory = (pid: number): number | null => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null; // no procfs, or the process is just ending
  }
};

/** A tick of proc(5) in milliseconds: Linux shows times in hundredths of a second on every architecture. */
const TICK_MS = 10;

/** Of all its threads, in user mode and in the kernel: the 14th and 15th value, behind a name that may hold anything. */
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

/** Where processors are scarce, a reader gets a third of what a request gets; with 10 it would get a tenth, and starve. */
const NICENESS = 5;

/** Requests and writes of others go first where processors are scarce. */
const lowerPriority = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // The process is gone already, or the system allows it not: it reads at the usual priority.
  }
};
