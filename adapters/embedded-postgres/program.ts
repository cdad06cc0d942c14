import { spawn } from 'node:child_process';
import { executable } from './binaries.ts';
import { commandAs, type Identity } from './identity.ts';

/** How and with what the programs of one data directory are run. */
export interface Runtime {
  readonly native: string;
  readonly identity: Identity;
}

export interface RunOptions {
  /** Aborted: the program and its children are ended at once, and the call rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** What it reads; nothing by default. */
  readonly input?: string;
}

const IS_WINDOWS = process.platform === 'win32';

/** Runs one program to its end and answers what it printed. @throws with that, when it fails */
export const run = (
  runtime: Runtime,
  program: 'initdb' | 'pg_ctl' | 'postgres',
  args: readonly string[],
  { signal, input = '' }: RunOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const command = commandAs(runtime.identity, executable(runtime.native, program), args);
    // A process group of its own: it ends with its children, and not by an interrupt from the terminal.
    const child = spawn(command.file, command.args, {
      ...command.options,
      detached: !IS_WINDOWS,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const end = (): void => {
      if (child.pid !== undefined) signalIfAlive(IS_WINDOWS ? child.pid : -child.pid, 'SIGKILL');
    };
    const forget = atExit(end);
    signal?.addEventListener('abort', end, { once: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      forget();
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code ?? killedBy}: ${output.trim()}`));
    });
  });

const endings = new Set<() => void>();
let listening = false;

const endAll = (): void => {
  for (const end of endings) end();
};

/**
 * Has `end` called when this process exits, however early; not when it is killed, which nobody is told of. `end` must
 * not wait. Answers how to take that back.
 */
export const atExit = (end: () => void): (() => void) => {
  if (!listening) process.on('exit', endAll);
  listening = true;
  endings.add(end);
  return () => {
    endings.delete(end);
  };
};

/** Signals a process, or with a negative id a group of them, that may have ended already. */
export const signalIfAlive = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
