import type { SecretType } from '../../domain/secret/index.ts';
import type { Page, PageRequest } from './page.ts';

/** One secret as it is read: all but its value. */
export interface SecretRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly secretType: SecretType;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Data sources that name it. */
  readonly inUse: number;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** Reads of secrets. Deleted ones are absent. Eventually consistent: see ReadGate. */
export interface SecretView {
  readonly get: (tenant: string, id: string) => Promise<SecretRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<SecretRow>>;
}
