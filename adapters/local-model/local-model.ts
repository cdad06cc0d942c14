import type { InstalledModel } from './weights/manifest.ts';
import type { FromModel, Inputs } from './process/messages.ts';
import { type ModelProcess, type StartModel, startModel } from './process/model-process.ts';

export interface LocalModelOptions {
  readonly model: InstalledModel;
  readonly threads: number;
  /** A module whose function `disableNetwork` disables the network of the calling process. */
  readonly disableNetwork: URL;
  /** How long an idle process is kept. Default: 10 minutes. */
  readonly idleMs?: number;
  readonly start?: StartModel;
}

/** A model in a separate process, which exists while it is needed. */
export interface LocalModel {
  /**
   * Returns one row per text, in order: a vector, or one score. Urgent requests go first. Starts the process if there
   * is none; when it exits, its pending requests fail, and the next call starts another process.
   *
   * @throws ModelRefused, ModelUnusable; the signal's reason when it aborts
   */
  readonly compute: (inputs: Inputs, signal: AbortSignal) => Promise<readonly Float32Array[]>;
  /** Pid of the process, for monitoring; null while there is none. */
  readonly pid: () => number | null;
  /** Kills the process. Pending requests fail, and so do later calls. Resolves when it has exited. */
  readonly close: () => Promise<void>;
}

/** The model does not accept these texts, and a retry would not help. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
}

/** The model cannot be used now. `broke`: its process exited unexpectedly, and another one may not. */
export class ModelUnusable extends Error {
  override readonly name = 'ModelUnusable';
  readonly broke: boolean;
  constructor(message: string, { broke }: { readonly broke: boolean }) {
    super(message);
    this.broke = broke;
  }
}

const IDLE_MS = 600_000;
/** From its start until it has loaded the weights. */
const LOAD_MS = 180_000;

type Waiting = PromiseWithResolvers<readonly Float32Array[]>;

interface Running {
  readonly process: ModelProcess;
  readonly waiting: Map<number, Waiting>;
  readonly gone: PromiseWithResolvers<void>;
  /** The reason that the process gave, if any. */
  why: ModelUnusable | null;
  readonly loading: NodeJS.Timeout;
  idle: NodeJS.Timeout | undefined;
}

export const createLocalModel = (options: LocalModelOptions): LocalModel => {
  const { model, threads, disableNetwork, idleMs = IDLE_MS, start = startModel } = options;
  const unusable = (what: string, broke = false): ModelUnusable =>
    new ModelUnusable(`the model ${model.name} cannot be used: ${what}`, { broke });
  let current: Running | null = null;
  let closed = false;
  let lastId = 0;

  const leave = (running: Running): void => {
    clearTimeout(running.idle);
    if (current === running) current = null;
  };
  const endWhenIdle = (running: Running): void => {
    clearTimeout(running.idle);
    running.idle = setTimeout(() => {
      leave(running);
      running.process.retire();
    }, idleMs).unref();
  };
  const answered = (running: Running, message: FromModel): void => {
    switch (message.type) {
      case 'ready':
        clearTimeout(running.loading);
        return;
      case 'unusable':
        leave(running);
        running.why = unusable(message.message);
        return;
      case 'computed':
        running.waiting.get(message.id)?.resolve(message.rows);
        return;
      case 'refused':
        running.waiting.get(message.id)?.reject(new ModelRefused(message.message));
    }
  };
  const ended = (running: Running, how: string): void => {
    clearTimeout(running.loading);
    leave(running);
    const why = running.why ?? unusable(`its process has ended (${how})`, true);
    for (const { reject } of running.waiting.values()) reject(why);
    running.gone.resolve();
  };
  const started = (): Running => {
    const running: Running = {
      process: start(
        { model, threads, disableNetwork: disableNetwork.href },
        {
          answered: (message) => answered(running, message),
          ended: (code, signal) => ended(running, String(signal ?? code)),
        },
      ),
      waiting: new Map(),
      gone: Promise.withResolvers<void>(),
      why: null,
      loading: setTimeout(() => {
        running.why ??= unusable(`it was not loaded within ${LOAD_MS} ms`);
        running.process.kill();
      }, LOAD_MS).unref(),
      idle: undefined,
    };
    return running;
  };

  return {
    pid: () => current?.process.pid ?? null,
    compute: async (inputs, signal) => {
      signal.throwIfAborted();
      if (closed) throw unusable('the service stops');
      const running = (current ??= started());
      const id = (lastId += 1);
      const answer: Waiting = Promise.withResolvers();
      const give = (): void => {
        running.process.send({ type: 'drop', id });
        answer.reject(signal.reason);
      };
      clearTimeout(running.idle);
      running.waiting.set(id, answer);
      running.process.send({ type: 'compute', id, inputs });
      signal.addEventListener('abort', give, { once: true });
      try {
        return await answer.promise;
      } finally {
        signal.removeEventListener('abort', give);
        running.waiting.delete(id);
        if (running.waiting.size === 0 && current === running) endWhenIdle(running);
      }
    },
    close: async () => {
      closed = true;
      const running = current;
      if (running === null) return;
      running.why ??= unusable('the service stops');
      running.process.kill();
      await running.gone.promise;
    },
  };
};
