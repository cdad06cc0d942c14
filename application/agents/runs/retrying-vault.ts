import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Vault } from '../../ports/vault.ts';
import type { IsTransient } from '../../jobs/transient.ts';

export interface RetryingVaultDeps {
  readonly vault: Vault;
  readonly isTransient: IsTransient;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Ends all waiting: the next failure counts. */
  readonly signal: AbortSignal;
}

const FIRST_MS = 200;
const LONGEST_MS = 2_000;
/** How long one call is tried, by the sum of its pauses: less than a cancel of a run may take. */
const LIMIT_MS = 20_000;

/**
 * A vault for runs that are under way: where its database is away for a moment, texts are kept and read as soon as it is
 * back. Repeating is safe: a text that is there under its id stays as it is.
 *
 * @throws DomainError unavailable where that takes too long
 */
export const createRetryingVault = ({ vault, isTransient, sleep, log, signal }: RetryingVaultDeps): Vault => {
  const retried = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_MS, waited = 0; ; pause = Math.min(2 * pause, LONGEST_MS)) {
      try {
        return await call();
      } catch (error) {
        if (!isTransient(error)) throw error;
        const { message } = error as Error;
        log.warn('waiting for the vault', { what, wait: pause, error: message });
        if (signal.aborted || waited >= LIMIT_MS) throw unavailable();
      }
      await sleep(pause, signal);
      waited += pause;
    }
  };
  return {
    ...vault,
    put: (tenant, owner, bodies) => retried('put', () => vault.put(tenant, owner, bodies)),
    read: (tenant, owner, ids) => retried('read', () => vault.read(tenant, owner, ids)),
  };
};

/** ReportedFailure to the caller by its code: what says more could not be kept. */
const unavailable = (): DomainError => new DomainError('unavailable', 'the vault of runs is away');
