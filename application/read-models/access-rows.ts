import type { ApiKeyEvent, ActiveKey } from '../../domain/api-key/decider.ts';
import { type AuthzPolicyEvent, type AuthzSubjectEvent, authzPolicy } from '../../domain/authz/decider.ts';
import type { SecretEvent } from '../../domain/secret/decider.ts';
import { webhook, type WebhookEvent } from '../../domain/webhook/decider.ts';
import type { ApiKeyRow, AuthzPolicyRow, AuthzSubjectRow } from '../ports/access-views.ts';
import type { SecretRow } from '../ports/secrets.ts';
import type { WebhookRow } from '../ports/webhooks.ts';
import type { RowContext } from './data-source-row.ts';

/** Returns null for a revoked key. All keys of a tenant share a stream, and `revision` is a revision of that stream. */
export const apiKeyRow = (
  row: ApiKeyRow | null,
  event: ApiKeyEvent,
  { tenant, revision }: { readonly tenant: string; readonly revision: bigint },
): ApiKeyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { type: _, ...key } = event;
      return apiKeyRowOf(key, { tenant, revision });
    }
    case 'ApiKeyRotated':
      return row === null ? null : { ...row, keyHash: event.keyHash, revision };
    case 'ApiKeyRevoked':
      return null;
  }
};

export const apiKeyRowOf = (
  { keyId: id, at: createdAt, ...facts }: ActiveKey,
  of: { readonly tenant: string; readonly revision: bigint },
): ApiKeyRow => ({ id, ...facts, createdAt, ...of });

type Context = Omit<RowContext, 'id'>;

/** Returns null for a deleted policy. */
export const authzPolicyRow = (
  row: AuthzPolicyRow | null,
  event: AuthzPolicyEvent,
  { tenant, revision }: Context,
): AuthzPolicyRow | null => {
  if (row !== null && row.revision >= revision) return row;
  // The row was deleted by a later event, unless this event creates the policy again.
  if (row === null && event.type !== 'AuthzPolicyCreated') return null;
  const policy = authzPolicy.evolve(row, event);
  return policy === null ? null : { ...policy, tenant, revision };
};

/** Returns null for a principal without attributes. */
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

/** A deleted secret keeps a hidden row, so that it stays valid as a cursor. */
export const secretRow = (
  row: SecretRow | null,
  event: SecretEvent,
  { id, tenant, revision }: RowContext,
): SecretRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'SecretCreated') {
    const { name, secretType, expiresAt, at } = event;
    const times = { expiresAt, createdAt: at, changedAt: at };
    return { id, tenant, name, secretType, ...times, inUse: 0, deleted: false, revision };
  }
  if (row === null) return null;
  switch (event.type) {
    case 'SecretChanged': {
      const { name, expiresAt, at } = event;
      return { ...row, name, expiresAt, changedAt: at, revision };
    }
    case 'SecretValueReplaced':
      return { ...row, changedAt: event.at, revision };
    case 'SecretRenewed':
      return { ...row, revision };
    case 'SecretAttached':
      return { ...row, inUse: row.inUse + 1, revision };
    case 'SecretDetached':
      return { ...row, inUse: row.inUse - 1, revision };
    case 'SecretDeleted':
      return { ...row, deleted: true, revision };
  }
};

/** A deleted webhook keeps a hidden row, so that it stays valid as a cursor. */
export const webhookRow = (
  row: WebhookRow | null,
  event: WebhookEvent,
  { id, tenant, revision }: RowContext,
): WebhookRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (row === null && event.type !== 'WebhookCreated') return null;
  const next = webhook.evolve(row === null ? webhook.initial : { status: 'active', ...row }, event);
  if (next.status !== 'active') return row && { ...row, deleted: true, revision };
  const { status: _, ...state } = next;
  return { ...state, id, tenant, deleted: false, revision };
};
