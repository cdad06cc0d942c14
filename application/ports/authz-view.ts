import type { Attributes, Policy } from '../../domain/authz/index.ts';
import type { Page } from './page.ts';

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
