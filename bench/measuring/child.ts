import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench beside this one. It ends itself when this one is gone. */
export interface Child {
  readonly pid: number;
  /** Its next message, after sending it one if there is one to send. @throws when it ends first */
  readonly ask: (message?: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts a module of bench as a process of its own. */
export const startChild = (file: string, args: readonly string[] = []): Child => {
  const child = fork(new URL(`../${file}`, import.meta.url), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  });
  return {
    pid: child.pid!,
    ask: async (message) => {
      if (message !== undefined) child.send(message);
      return nextMessage(child, file);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const nextMessage = (child: ChildProcess, file: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      child.off('message', onMessage);
      reject(new Error(`${file} ended with ${code ?? signal}`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
