import type { Logger } from '../application/ports/logger.ts';

export interface StopSignal {
  /** Resolves with what told the service to stop. */
  readonly received: Promise<string>;
  /** Aborts then. */
  readonly signal: AbortSignal;
}

/** How often it is looked whether the parent is still there. */
const LOOK_MS = 1_000;

/**
 * The first SIGINT or SIGTERM stops in good order, the second at once. A service that npm has started stops in good
 * order too when its parent goes: npm hands a signal on to the shell between the two, which dies of it and tells nobody.
 */
export const stopSignal = (log: Logger): StopSignal => {
  const controller = new AbortController();
  const { promise: received, resolve } = Promise.withResolvers<string>();
  const stop = (why: string): void => {
    log.info(`${why}: stopping, once more to stop at once`);
    controller.abort();
    resolve(why);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) return stop(name);
      log.warn(`stopped at once by a second ${name}`);
      process.exit(1);
    });
  }
  if (process.env['npm_lifecycle_event'] !== undefined) {
    whenParentGoes(controller.signal, () => stop('npm is gone'));
  }
  return { received, signal: controller.signal };
};

/** Of an orphan, the system changes the parent. On Windows it does not, and this never comes. */
const whenParentGoes = (over: AbortSignal, then: () => void): void => {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    then();
  }, LOOK_MS).unref();
  over.addEventListener('abort', () => clearInterval(looking), { once: true });
};
