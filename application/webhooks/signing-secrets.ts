import { webhook, type ActiveWebhook } from '../../domain/webhook/decider.ts';
import { streamIdOf } from '../event-sourcing/event-codec.ts';
import type { Execute } from '../event-sourcing/execute.ts';
import { webhookStream } from '../event-sourcing/streams.ts';
import { KeyDestroyed, type OwnedTexts, type Vault } from '../ports/vault.ts';

type Named = Pick<ActiveWebhook, 'secretId' | 'previousSecret'>;

export interface SigningSecrets {
  /** Makes the key of a webhook's secrets. @throws DomainError not_configured without a master key */
  readonly createKey: (tenant: string, id: string) => Promise<void>;
  /** Stores a secret unless the id exists. False: the webhook has no key (any more). */
  readonly put: (tenant: string, id: string, secretId: string, secret: string) => Promise<boolean>;
  /** Null: it does not exist (any more). */
  readonly read: (tenant: string, id: string, secretId: string) => Promise<string | null>;
  /** Those that sign at `now`, the current one first. Forgets one that signs no more. Empty: the key is gone. */
  readonly inForce: (tenant: string, id: string, named: Named, now: number) => Promise<readonly string[]>;
  readonly forget: (tenant: string, id: string, secretId: string) => Promise<void>;
  /** Destroys the key and thereby every secret. */
  readonly destroyKey: (tenant: string, id: string) => Promise<void>;
}

/** Signing secrets in the vault; each webhook has its own key. */
export const createSigningSecrets = (vault: Vault): SigningSecrets => {
  const forget: SigningSecrets['forget'] = (tenant, id, secretId) =>
    vault.forget(tenant, webhookStream(id), [secretId]);
  return {
    createKey: (tenant, id) => vault.create(tenant, webhookStream(id)),
    put: async (tenant, id, secretId, secret) => {
      try {
        await vault.put(tenant, webhookStream(id), [{ id: secretId, text: secret }]);
        return true;
      } catch (error) {
        if (error instanceof KeyDestroyed) return false;
        throw error;
      }
    },
    read: async (tenant, id, secretId) =>
      (await vault.read(tenant, webhookStream(id), [secretId]))?.get(secretId) ?? null,
    inForce: async (tenant, id, { secretId, previousSecret }, now) => {
      const ids = previousSecret === null ? [secretId] : [secretId, previousSecret.id];
      const texts = await vault.read(tenant, webhookStream(id), ids);
      if (previousSecret !== null && previousSecret.until <= now && texts?.has(previousSecret.id) === true) {
        await forget(tenant, id, previousSecret.id);
        ids.pop();
      }
      return ids.flatMap((one) => texts?.get(one) ?? []);
    },
    forget,
    destroyKey: (tenant, id) => vault.destroy(tenant, webhookStream(id)),
  };
};

interface SweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * Deletes what a crash has left behind of one webhook: the key if the webhook never started or was deleted, and secrets
 * that its stream does not refer to. Returns the number of deleted keys and texts.
 *
 * @throws DomainError unavailable when a newer version of the service has written to the webhook
 */
export const sweepSigningSecrets = async (
  { vault, execute }: SweepDeps,
  { tenant, owner, ids }: OwnedTexts,
): Promise<{ readonly keys: number; readonly texts: number }> => {
  const stream = webhookStream(streamIdOf(owner));
  const state = (await execute.load(webhook, stream, tenant))?.state ?? webhook.initial;
  if (state.status !== 'active') {
    await vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray = ids.filter((id) => id !== state.secretId && id !== state.previousSecret?.id);
  if (stray.length > 0) await vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};
