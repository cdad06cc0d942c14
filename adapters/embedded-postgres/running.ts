import type { ChildProcess } from 'node:child_process';
import { atExit, signalIfAlive } from './at-exit.ts';
import { servesCluster } from './postmaster.ts';
import type { Postmaster } from './postmaster.ts';

/** A server as it runs. When this process exits without having stopped it, it is told to stop. */
export interface Running {
  readonly port: number;
  /** Resolves when it has ended, with how: "ended with 1". */
  readonly ended: Promise<string>;
  /** The same at once; null while it runs. */
  readonly end: () => string | null;
  /** Does nothing once it has ended. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** One that was not started by this process tells nobody of its end. */
const LOOK_MS = 250;

export const ofChild = (child: ChildProcess, port: number): Running => {
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be run: ${error.message}`));
    child.on('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
  });
  return watched(child.pid, port, ended);
};

export const ofProcess = ({ pid, port }: Postmaster, cluster: string): Running => {
  const ended = new Promise<string>((resolve) => {
    const look = async (): Promise<void> => {
      if (await servesCluster(pid, cluster)) setTimeout(() => void look(), LOOK_MS).unref();
      else resolve('has ended');
    };
    void look();
  });
  return watched(pid, port, ended);
};

const watched = (pid: number | undefined, port: number, end: Promise<string>): Running => {
  let over: string | null = null;
  const kill = (signal: NodeJS.Signals): void => {
    if (over === null && pid !== undefined) signalIfAlive(pid, signal);
  };
  // It then rolls back, and ends by itself.
  const forget = atExit(() => kill('SIGINT'));
  const ended = end.then((how) => {
    over = how;
    forget();
    return how;
  });
  return { port, ended, end: () => over, kill };
};
