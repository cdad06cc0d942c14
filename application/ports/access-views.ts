import type { Policy } from '../../domain/authz/decider.ts';
import type { Attributes } from '../../domain/authz/policy-filter.ts';
import type { Page, PageRequest } from './page.ts';
import type { Scope } from '../../domain/api-key/decider.ts';

/** An API key as lists and look-ups return it. The key itself is never stored. */
export interface ApiKeyRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  /** SHA-256 of the key in hex. Requests are authenticated by it. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  readonly createdAt: number;
  /** Revision of the newest event about this key in the tenant's key stream. */
  readonly revision: bigint;
}

/** Look-ups of API keys. */
export interface ApiKeyView {
  readonly byHash: (keyHash: string) => Promise<ApiKeyRow | null>;
  readonly get: (tenant: string, id: string) => Promise<ApiKeyRow | null>;
  /**
   * Newest first. With `only`, the list contains only keys that are restricted to some of these source groups. `after`
   * may be any id, because a revoked key has no row here.
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
  /** One entry per policy, in the order in which the policies first got attributes. */
  readonly policies: readonly { readonly authzPolicy: string; readonly attributes: Attributes }[];
  readonly revision: bigint;
}

/** A page of a list ordered by name. The cursor may be any name, whether or not a record has it. */
export interface NamedPageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly after?: string;
}

/**
 * Lists policies and the attributes of principals, ordered by the code points of their names. Eventually consistent:
 * see ReadGate.
 */
export interface AuthzView {
  readonly policies: (tenant: string, page: NamedPageRequest) => Promise<Page<AuthzPolicyRow>>;
  readonly subjects: (tenant: string, page: NamedPageRequest) => Promise<Page<AuthzSubjectRow>>;
}
