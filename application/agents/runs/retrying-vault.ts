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
  /** Ends all waiting: the next failure is final. */
  readonly signal: AbortSignal;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 2_000;
/** Maximum total delay of one call: less than the time limit of a cancellation. */
const MAX_TOTAL_DELAY_MS = 20_000;

/**
 * A vault for running runs. When the database is briefly unavailable, reads and writes are retried. Retrying is safe:
 * a text that is already stored under its id is not changed.
 *
 * @throws DomainError unavailable when the retries take too long
 */
export const createRetryingVault = ({ vault, isTransient, sleep, log, signal }: RetryingVaultDeps): Vault => {
  const retried = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_DELAY_MS, waited = 0; ; pause = Math.min(2 * pause, MAX_DELAY_MS)) {
      try {
        return await call();
      } catch (error) {
        if (!isTransient(error)) throw error;
        const { message } = error as Error;
        log.warn('waiting for the vault', { what, wait: pause, error: message });
        if (signal.aborted || waited >= MAX_TOTAL_DELAY_MS) throw unavailable();
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

/** The caller sees a message for the code alone, because a longer one could not be stored. */
const unavailable = (): DomainError => new DomainError('unavailable', 'the vault of runs is unavailable');
