import { spawn } from 'node:child_process';
import { executable } from './binaries.ts';
import { commandAs, type Identity } from './identity.ts';

/** The binaries of one data directory, and the identity that runs them. */
export interface Runtime {
  readonly native: string;
  readonly identity: Identity;
}

export interface RunOptions {
  /** On abort, the program and its children are killed, and the call rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Standard input; empty by default. */
  readonly input?: string;
}

const IS_WINDOWS = process.platform === 'win32';

/**
 * Runs a program to its end and returns its output.
 *
 * @throws with the output if the program fails
 */
export const run = (
  runtime: Runtime,
  program: 'initdb' | 'pg_ctl' | 'postgres',
  args: readonly string[],
  { signal, input = '' }: RunOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const command = commandAs(runtime.identity, executable(runtime.native, program), args);
    // Its own process group: it is killed together with its children, and an interrupt from the terminal does
    // not reach it.
    const child = spawn(command.file, command.args, {
      ...command.options,
      detached: !IS_WINDOWS,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const end = (): void => {
      if (child.pid !== undefined) signalIfAlive(IS_WINDOWS ? child.pid : -child.pid, 'SIGKILL');
    };
    const removeExitHook = atExit(end);
    signal?.addEventListener('abort', end, { once: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      removeExitHook();
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
 * Calls `end` when this process exits, however early, except when it is killed. `end` must be synchronous.
 * Returns a function that unregisters `end`.
 */
export const atExit = (end: () => void): (() => void) => {
  if (!listening) process.on('exit', endAll);
  listening = true;
  endings.add(end);
  return () => {
    endings.delete(end);
  };
};

/** Signals a process, or with a negative id a process group, that may have exited already. */
export const signalIfAlive = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
