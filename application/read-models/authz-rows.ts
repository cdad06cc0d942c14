import { authzPolicy, type AuthzPolicyEvent, type AuthzSubjectEvent } from '../../domain/authz/index.ts';
import type { AuthzPolicyRow, AuthzSubjectRow } from '../ports/authz-view.ts';
import type { RowContext } from './data-source-row.ts';

type Context = Omit<RowContext, 'id'>;

/** Null: deleted. */
export const authzPolicyRow = (
  row: AuthzPolicyRow | null,
  event: AuthzPolicyEvent,
  { tenant, revision }: Context,
): AuthzPolicyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  // A row that is gone was ahead of this event, unless the event begins another life of the name.
  if (row === null && event.type !== 'AuthzPolicyCreated') return null;
  const policy = authzPolicy.evolve(row, event);
  return policy === null ? null : { ...policy, tenant, revision };
};

/** Null: nothing is known of the principal. */
export const authzSubjectRow = (
  row: AuthzSubjectRow | null,
  event: AuthzSubjectEvent,
  { tenant, revision }: Context,
): AuthzSubjectRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'AuthzAttributesDeleted') return null;
  const { principal_id, authz_policy, attributes, at } = event;
  const known = row?.policies ?? [];
  const set = { authz_policy, attributes };
  const policies = known.some((one) => one.authz_policy === authz_policy)
    ? known.map((one) => (one.authz_policy === authz_policy ? set : one))
    : [...known, set];
  return { tenant, principal_id, created_at: row?.created_at ?? at, policies, revision };
};
