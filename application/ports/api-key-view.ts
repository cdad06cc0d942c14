import type { Scope } from '../../domain/api-key/index.ts';
import type { Page, PageRequest } from './page.ts';

/** One API key as it is read and looked up; the key itself is kept nowhere. */
export interface ApiKeyRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  /** SHA-256 of the key, hex: what a request is looked up by. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  readonly createdAt: number;
  /** Revision, in the tenant's stream of keys, of the newest event about this key. */
  readonly revision: bigint;
}

/** Look-ups of API keys. */
export interface ApiKeyView {
  readonly byHash: (keyHash: string) => Promise<ApiKeyRow | null>;
  readonly get: (tenant: string, id: string) => Promise<ApiKeyRow | null>;
  /**
   * Newest first. `only` leaves the keys that are restricted to some of these source groups. `after` may be any id: a
   * revoked key has no row here.
   */
  readonly list: (
    tenant: string,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<ApiKeyRow>>;
}
