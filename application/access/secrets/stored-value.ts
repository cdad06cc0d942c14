import { type ActiveSecret, type SecretType, secret } from '../../../domain/secret/decider.ts';
import type { SecretValue } from '../../../domain/secret/value.ts';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';
import { streamIdOf } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { SecretRow } from '../../ports/secrets.ts';
import { type OwnedTexts, KeyDestroyed, type Vault } from '../../ports/vault.ts';

/** An access token that was issued in exchange for a value. */
export interface AccessToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** The token endpoint and the scope of the exchange. */
  readonly exchange: string;
}

/** The contents of the vault under the id of a value. */
export interface StoredValue {
  readonly value: SecretValue;
  readonly access?: AccessToken;
}

export interface SecretTexts {
  /** Creates the key of a secret's values. @throws DomainError not_configured without a master key */
  readonly createKey: (tenant: string, id: string) => Promise<void>;
  /** Stores a value unless the id exists. Returns false when the secret has no key (any more). */
  readonly put: (tenant: string, id: string, valueId: string, stored: StoredValue) => Promise<boolean>;
  /** Null when the value does not exist (any more). */
  readonly read: (tenant: string, id: string, valueId: string) => Promise<StoredValue | null>;
  readonly forget: (tenant: string, id: string, valueId: string) => Promise<void>;
  /** Destroys the key and thereby every value. */
  readonly destroyKey: (tenant: string, id: string) => Promise<void>;
}

/** Values of secrets in the vault; each secret has its own key. */
export const createSecretTexts = (vault: Vault): SecretTexts => ({
  createKey: (tenant, id) => vault.create(tenant, secretStream(id)),
  put: async (tenant, id, valueId, stored) => {
    try {
      await vault.put(tenant, secretStream(id), [{ id: valueId, text: JSON.stringify(snakeKeys(stored)) }]);
      return true;
    } catch (error) {
      if (error instanceof KeyDestroyed) return false;
      throw error;
    }
  },
  read: async (tenant, id, valueId) => {
    const text = (await vault.read(tenant, secretStream(id), [valueId]))?.get(valueId);
    return text === undefined ? null : (camelKeys(JSON.parse(text)) as StoredValue);
  },
  forget: (tenant, id, valueId) => vault.forget(tenant, secretStream(id), [valueId]),
  destroyKey: (tenant, id) => vault.destroy(tenant, secretStream(id)),
});

/** A secret and its value, read for one request. */
export interface OpenSecret {
  readonly tenant: string;
  readonly secretId: string;
  readonly state: ActiveSecret;
  readonly stored: StoredValue;
}

/** A secret as the API shows it. Times in Unix milliseconds. */
export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly secretType: SecretType;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Accurate to about a minute; null for never. */
  readonly lastUsedAt: number | null;
  /** Number of data sources that use it. */
  readonly inUse: number;
}

export const recordOfRow = (row: SecretRow, lastUsedAt: number | undefined): SecretRecord => {
  const { tenant: _, deleted: __, revision: ___, ...record } = row;
  return { ...record, lastUsedAt: lastUsedAt ?? null };
};

export const recordOfState = (
  id: string,
  state: ActiveSecret,
  lastUsedAt: number | undefined,
): SecretRecord => {
  const { name, secretType, expiresAt, createdAt, changedAt, uses } = state;
  const facts = { id, name, secretType, expiresAt, createdAt, changedAt };
  return { ...facts, lastUsedAt: lastUsedAt ?? null, inUse: uses.size };
};

interface SweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * Deletes what a crash has left behind of one secret: the key if the secret never started or was deleted, and values
 * that its stream does not refer to. Returns the number of deleted keys and texts.
 *
 * @throws DomainError unavailable when a newer version of the service has written to the secret
 */
export const sweepSecret = async (
  { vault, execute }: SweepDeps,
  { tenant, owner, ids }: OwnedTexts,
): Promise<{ readonly keys: number; readonly texts: number }> => {
  const stream = secretStream(streamIdOf(owner));
  const state = (await execute.load(secret, stream, tenant))?.state ?? secret.initial;
  if (state.status !== 'active') {
    await vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray = ids.filter((id) => id !== state.valueId);
  if (stray.length > 0) await vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};
