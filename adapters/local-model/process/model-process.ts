import { fork } from 'node:child_process';
import type { FromModel, ModelSettings, ToModel } from './messages.ts';

export interface ModelEvents {
  answered(message: FromModel): void;
  /** The process has exited, for whatever reason. Called once, last. */
  ended(code: number | null, signal: NodeJS.Signals | null): void;
}

/** A child process that has loaded one model. */
export interface ModelProcess {
  readonly pid: number | undefined;
  send(message: ToModel): void;
  /** Lets the process exit as soon as its current run is finished. */
  retire(): void;
  kill(): void;
}

/** Allows native code for the computation; forbids writing, other programs and the network: see `disableNetwork`. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-addons'];
const MAIN = new URL('model-main.ts', import.meta.url);

export type StartModel = (
  settings: ModelSettings,
  events: ModelEvents,
  /** Further Node options. */
  options?: readonly string[],
) => ModelProcess;

/** Starts the process of a model without environment variables, so that nothing in it can read a secret there. */
export const startModel: StartModel = (settings, events, options = []) => {
  const child = fork(MAIN, [JSON.stringify(settings)], {
    execArgv: [...PERMISSIONS, ...options],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced', // vectors as bytes
  });
  let ended = false;
  const end = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (ended) return;
    ended = true;
    events.ended(code, signal);
  };
  child.on('exit', (code, signal) => {
    // Replies that it has already sent may still be in the channel.
    if (child.connected) child.once('disconnect', () => end(code, signal));
    else end(code, signal);
  });
  // The process could not be started or killed, or a message did not reach it: it has exited or is killed now.
  child.on('error', () => {
    if (child.pid === undefined) end(null, null);
    else child.kill('SIGKILL');
  });
  child.on('message', (message) => events.answered(message as FromModel));
  child.unref();
  child.channel?.unref();
  return {
    pid: child.pid,
    send: (message) => {
      if (child.connected) child.send(message);
    },
    retire: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => {
      child.ref(); // a caller may wait for its end and nothing else
      child.kill('SIGKILL');
    },
  };
};
