import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Backing, openBacking } from './backing.ts';
import { type Client, clientOf } from './client.ts';
import { startedProgram } from './started-program.ts';

const KEY = 'kn_test_key_of_the_journeys_0123456789';

/** The started program, as a user starts it, on data of its own. */
export interface Service extends Client {
  readonly dataDir: string;
  readonly backing: Backing;
  /** What was started: the path of a start.mjs. */
  readonly program: string;
  readonly child: ChildProcess;
  /** This one, and those that were started on its data before and after. */
  readonly processes: ChildProcess[];
  /** All that it printed. */
  readonly output: () => string;
  /** Starts a command of the program on the same data directory. */
  readonly started: (...args: readonly string[]) => ChildProcess;
  /** Runs a command of the program on the same data directory, to its end. */
  readonly command: (
    ...args: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly output: string }>;
  /** Sends the signal and waits for the end; answers exit code and signal. */
  readonly end: (signal: NodeJS.Signals) => Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** The same data directory, started again. */
  readonly again: () => Promise<Service>;
  /** Stops all its processes, and deletes all data. */
  readonly dispose: () => Promise<void>;
}

export const startService = async (
  env: { readonly [name: string]: string } = {},
  beside?: Pick<Service, 'dataDir' | 'backing'> & Partial<Pick<Service, 'processes' | 'program'>>,
): Promise<Service> => {
  const folder = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'knowledger-journey-')));
  const backing = beside?.backing ?? (await openBacking());
  const program = beside?.program ?? (await startedProgram());
  await backing.prepare?.(folder);
  const run = (args: readonly string[]) =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        PORT: '0',
        KNOWLEDGER_DATA_DIR: folder,
        KNOWLEDGER_BOOTSTRAP_KEY: KEY,
        // Nobody stands before it who would have to look elsewhere first.
        KNOWLEDGER_DRAIN_MS: '0',
        // Only tests of the console build it.
        KNOWLEDGER_CONSOLE: 'off',
        ...backing.env,
        ...env,
      },
    });
  const child = run([]);
  const processes = beside?.processes ?? [];
  processes.push(child);
  let output = '';
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const base = /listening on (http:\S+)/.exec(output)?.[1];
      if (base !== undefined) resolve(base);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code, signal) => reject(new Error(`ended with ${code ?? signal}: ${output}`)));
  });
  const base = await listening;
  const key = env['KNOWLEDGER_BOOTSTRAP_KEY'] ?? KEY;
  return {
    ...clientOf(base, key),
    dataDir: folder,
    backing,
    program,
    child,
    processes,
    output: () => output,
    started: (...args) => run(args),
    command: async (...args) => {
      const command = run(args);
      const closed = once(command, 'close');
      const [out, err] = await Promise.all([text(command.stdout), text(command.stderr), closed]);
      return { code: command.exitCode, output: out + err };
    },
    end: (signal) => ended(child, signal),
    again: () => startService(env, { dataDir: folder, backing, processes, program }),
    dispose: async () => {
      await Promise.all(processes.map((process) => ended(process, 'SIGTERM')));
      await backing.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

const ended = async (
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<readonly [number | null, NodeJS.Signals | null]> => {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit) as [number | null, NodeJS.Signals | null];
};
