import type { SecretValue } from '../../../domain/secret/value.ts';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';
import { KeyDestroyed, type Vault } from '../../ports/vault.ts';
import { secretStream } from '../../event-sourcing/streams.ts';

/** An access token that was given in exchange for a value. */
export interface AccessToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Where, and for which scope. */
  readonly exchange: string;
}

/** What the vault keeps under the id of a value. */
export interface KeptValue {
  readonly value: SecretValue;
  readonly access?: AccessToken;
}

export interface SecretTexts {
  /** Gives the secret the key of its values. @throws DomainError not_configured without a master key */
  readonly open: (tenant: string, id: string) => Promise<void>;
  /** Keeps one, unless there is one of this id. Answers false when the secret has no key (any more). */
  readonly put: (tenant: string, id: string, valueId: string, kept: KeptValue) => Promise<boolean>;
  /** Null: it is not there (any more). */
  readonly read: (tenant: string, id: string, valueId: string) => Promise<KeptValue | null>;
  readonly forget: (tenant: string, id: string, valueId: string) => Promise<void>;
  /** The key, and every value with it. */
  readonly destroy: (tenant: string, id: string) => Promise<void>;
}

/** Values of secrets in the vault, under a key of each secret. */
export const createSecretTexts = (vault: Vault): SecretTexts => ({
  open: (tenant, id) => vault.create(tenant, secretStream(id)),
  put: async (tenant, id, valueId, kept) => {
    try {
      await vault.put(tenant, secretStream(id), [{ id: valueId, text: JSON.stringify(snakeKeys(kept)) }]);
      return true;
    } catch (error) {
      if (error instanceof KeyDestroyed) return false;
      throw error;
    }
  },
  read: async (tenant, id, valueId) => {
    const text = (await vault.read(tenant, secretStream(id), [valueId]))?.get(valueId);
    return text === undefined ? null : (camelKeys(JSON.parse(text)) as KeptValue);
  },
  forget: (tenant, id, valueId) => vault.forget(tenant, secretStream(id), [valueId]),
  destroy: (tenant, id) => vault.destroy(tenant, secretStream(id)),
});
