import { fork } from 'node:child_process';
import type { FromModel, ModelSettings, ToModel } from './messages.ts';

export interface ModelEvents {
  answered(message: FromModel): void;
  /** The process is gone, for whatever reason. Comes once, last. */
  ended(code: number | null, signal: NodeJS.Signals | null): void;
}

/** A child process that has loaded one model. */
export interface ModelProcess {
  readonly pid: number | undefined;
  send(message: ToModel): void;
  /** Lets it end by itself, as soon as it is done with the run that it is in. */
  retire(): void;
  kill(): void;
}

/** Native code, for it computes; nothing is written, no other program, and no network: see `disableNetwork`. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-addons'];
const MAIN = new URL('model-main.ts', import.meta.url);

export type StartModel = (
  settings: ModelSettings,
  events: ModelEvents,
  /** More options of Node. */
  options?: readonly string[],
) => ModelProcess;

/** Starts the process of a model. It is given no environment: nothing that runs in it can read a secret there. */
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
    // Answers that it sent before may still lie in the channel.
    if (child.connected) child.once('disconnect', () => end(code, signal));
    else end(code, signal);
  });
  // Not startable, not killable, or a message that no longer reached it: then it is gone or is made to go.
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
      child.ref(); // somebody may wait for its end and nothing else
      child.kill('SIGKILL');
    },
  };
};
