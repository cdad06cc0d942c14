import type { KeptSecret, SecretType } from '../../../domain/secret/decider.ts';
import type { SecretRow } from '../../ports/secrets.ts';

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
