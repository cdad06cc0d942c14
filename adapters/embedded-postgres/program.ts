import { spawn } from 'node:child_process';
import { atExit, signalIfAlive } from './at-exit.ts';
import { executable } from './binaries.ts';
import { commandAs } from './identity.ts';
import type { Identity } from './identity.ts';

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
