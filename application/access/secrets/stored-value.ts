import { type KeptSecret, type SecretType, secret } from '../../../domain/secret/decider.ts';
import type { SecretValue } from '../../../domain/secret/value.ts';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';
import { streamIdOf } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { SecretRow } from '../../ports/secrets.ts';
import { type OwnedTexts, KeyDestroyed, type Vault } from '../../ports/vault.ts';

/** An access token that was given in exchange for a value. */
export interface AccessToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Where, and for which scope. */
  readonly exchange: string;
}

/** What the vault keeps under the id of a value. */
export interface StoredValue {
  readonly value: SecretValue;
  readonly access?: AccessToken;
}

export interface SecretTexts {
  /** Gives the secret the key of its values. @throws DomainError not_configured without a master key */
  readonly open: (tenant: string, id: string) => Promise<void>;
  /** Keeps one, unless there is one of this id. Answers false when the secret has no key (any more). */
  readonly put: (tenant: string, id: string, valueId: string, kept: StoredValue) => Promise<boolean>;
  /** Null: it is not there (any more). */
  readonly read: (tenant: string, id: string, valueId: string) => Promise<StoredValue | null>;
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
    return text === undefined ? null : (camelKeys(JSON.parse(text)) as StoredValue);
  },
  forget: (tenant, id, valueId) => vault.forget(tenant, secretStream(id), [valueId]),
  destroy: (tenant, id) => vault.destroy(tenant, secretStream(id)),
});

/** A secret as it is read for one request. */
export interface OpenSecret {
  readonly tenant: string;
  readonly secretId: string;
  readonly state: KeptSecret;
  readonly kept: StoredValue;
}

/** A secret as its callers see it. Times in Unix milliseconds. */
export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly secretType: SecretType;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** To about ten seconds; null: never. */
  readonly lastUsedAt: number | null;
  /** Data sources that name it. */
  readonly inUse: number;
}

export const recordOfRow = (row: SecretRow, lastUsedAt: number | undefined): SecretRecord => {
  const { tenant: _, deleted: __, revision: ___, ...record } = row;
  return { ...record, lastUsedAt: lastUsedAt ?? null };
};

export const recordOfState = (
  id: string,
  state: KeptSecret,
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
 * Deletes what a crash has left of one secret: the key of one that never began or was deleted, and values that its
 * stream does not name. Answers how many.
 *
 * @throws DomainError unavailable when a newer version of the service has written to it
 */
export const sweepSecret = async (
  { vault, execute }: SweepDeps,
  { tenant, owner, ids }: OwnedTexts,
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
