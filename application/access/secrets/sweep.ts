import { secret } from '../../../domain/secret/decider.ts';
import { streamIdOf } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Holding, Vault } from '../../ports/vault.ts';
import { secretStream } from '../../event-sourcing/streams.ts';

interface SweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * Deletes what a crash has left of one secret: the key of one that never began or was deleted, and values that its
 * stream does not name. Answers how many.
 *
 * @throws DomainError unavailable when a newer version of the service has written to it
 */
export const sweepSecret = async (
  { vault, execute }: SweepDeps,
  { tenant, owner, ids }: Holding,
): Promise<{ readonly keys: number; readonly texts: number }> => {
  const stream = secretStream(streamIdOf(owner));
  const state = (await execute.load(secret, stream, tenant))?.state ?? secret.initial;
  if (state.status !== 'kept') {
    await vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray = ids.filter((id) => id !== state.valueId);
  if (stray.length > 0) await vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};
