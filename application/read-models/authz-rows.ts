import { authzPolicy, type AuthzPolicyEvent, type AuthzSubjectEvent } from '../../domain/authz/decider.ts';
import type { AuthzPolicyRow, AuthzSubjectRow } from '../ports/access-views.ts';
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
  const { principalId, authzPolicy: named, attributes, at } = event;
  const known = row?.policies ?? [];
  const set = { authzPolicy: named, attributes };
  const policies = known.some((one) => one.authzPolicy === named)
    ? known.map((one) => (one.authzPolicy === named ? set : one))
    : [...known, set];
  return { tenant, principalId, createdAt: row?.createdAt ?? at, policies, revision };
};
