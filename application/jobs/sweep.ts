import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { WorkLeases } from '../ports/leases.ts';
import type { WorkHandler } from './work-handler.ts';

export interface SweepDeps {
  readonly leases: Pick<WorkLeases, 'abandoned'>;
  readonly handlers: readonly WorkHandler[];
  readonly log: Logger;
}

const MOST = 100;

/** Has handlers end or requeue work that nobody does any more. Safe to run anywhere and often: they judge. */
export const sweepAbandoned = async ({ leases, handlers, log }: SweepDeps): Promise<void> => {
  for (const found of await leases.abandoned(MOST)) {
    const handler = handlers.find(({ kind }) => kind === found.kind);
    if (handler?.abandoned === undefined) continue;
    const facts = { [handler.idName]: found.id };
    await unhindered(log, 'an abandoned job was left', facts, handler.abandoned(found));
  }
};

/** One that cannot be read, for example because a newer version wrote to it, must not keep the others waiting. */
export const unhindered = async (
  log: Logger,
  message: string,
  facts: Readonly<Record<string, string>>,
  attempt: Promise<void>,
): Promise<void> => {
  await attempt.catch((error: unknown) => {
    // The view lags: the worker has reported, or somebody has asked, in the meantime.
    if (error instanceof DomainError && error.code === 'conflict') return;
    log.warn(message, { ...facts, error: (error as Error).message });
  });
};
