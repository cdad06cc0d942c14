import type { Policy } from '../../domain/authz/decider.ts';
import type { Attributes } from '../../domain/authz/policy-filter.ts';
import type { Page, PageRequest } from './page.ts';
import type { Scope } from '../../domain/api-key/decider.ts';

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

export interface AuthzPolicyRow extends Policy {
  readonly tenant: string;
  readonly revision: bigint;
}

export interface AuthzSubjectRow {
  readonly tenant: string;
  readonly principalId: string;
  readonly createdAt: number;
  /** By policy, in the order of their first attributes. */
  readonly policies: readonly { readonly authzPolicy: string; readonly attributes: Attributes }[];
  readonly revision: bigint;
}

/** A page of a list that is ordered by a name: any name is a place in it, whether or not there is such a record. */
export interface NamedPageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly after?: string;
}

/** Lists of policies and of principals' attributes, by code points of their names. Eventually consistent: see ReadGate. */
export interface AuthzView {
  readonly policies: (tenant: string, page: NamedPageRequest) => Promise<Page<AuthzPolicyRow>>;
  readonly subjects: (tenant: string, page: NamedPageRequest) => Promise<Page<AuthzSubjectRow>>;
}
