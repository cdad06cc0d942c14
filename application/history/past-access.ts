import { policyId, subjectId } from '../access/authz/access.ts';
import {
  apiKeyStream,
  authzPolicyStream,
  authzSubjectStream,
  redactionPolicyStream,
  secretStream,
  webhookStream,
} from '../event-sourcing/streams.ts';
import type { ApiKeyRow } from '../ports/access-views.ts';
import type { Hash } from '../ports/identity.ts';
import type { Past } from '../access/past.ts';
import {
  apiKeyFold,
  authzPolicyFold,
  authzSubjectFold,
  redactionPolicyFold,
  secretFold,
  webhookFold,
} from '../read-models/row-folds.ts';
import type { ListPast } from './past-lists.ts';
import type { PastReader } from './past-reader.ts';

type Views = Pick<Past, 'apiKeys' | 'authz' | 'redactionPolicies' | 'secrets' | 'webhooks'>;

/** Keys, secrets without their values, webhooks, and policies. */
export const pastAccess = (reader: PastReader, list: ListPast, hash: Hash): Views => {
  const secret = (tenant: string, id: string) => reader.row(secretFold, id, tenant, secretStream(id));
  const webhook = (tenant: string, id: string) => reader.row(webhookFold, id, tenant, webhookStream(id));
  const redactionPolicy = (tenant: string, id: string) =>
    reader.row(redactionPolicyFold, id, tenant, redactionPolicyStream(id));
  const apiKey = (tenant: string, id: string) => reader.row(apiKeyFold, id, tenant, apiKeyStream(tenant));

  const policy: Views['authz']['policy'] = async (tenant, name) => {
    const id = policyId(hash, tenant, name);
    const row = await reader.row(authzPolicyFold, id, tenant, authzPolicyStream(id));
    endOf(name, id);
    return row;
  };
  const subject: Views['authz']['subject'] = async (tenant, principalId) => {
    const id = subjectId(hash, tenant, principalId);
    const row = await reader.row(authzSubjectFold, id, tenant, authzSubjectStream(id));
    endOf(principalId, id);
    return row;
  };
  /** Policies and principals are known to callers by their names. */
  const endOf = (name: string, id: string): void => {
    const at = reader.endedAt(id);
    if (at !== undefined) reader.noteEnd(name, at);
  };

  return {
    secrets: {
      get: secret,
      list: (tenant, page) => list({ tenant, list: 'secret' }, page, (id) => secret(tenant, id)),
    },
    webhooks: {
      get: webhook,
      list: (tenant, page) => list({ tenant, list: 'webhook' }, page, (id) => webhook(tenant, id)),
    },
    redactionPolicies: {
      get: redactionPolicy,
      list: (tenant, page) =>
        list({ tenant, list: 'redaction_policy' }, page, (id) => redactionPolicy(tenant, id)),
    },
    apiKeys: {
      get: apiKey,
      list: (tenant, page, only) =>
        list(
          { tenant, list: 'api_key' },
          page,
          (id) => apiKey(tenant, id),
          only === null ? undefined : reachesOnly(only),
        ),
    },
    authz: {
      policy,
      subject,
      policies: (tenant, page) =>
        list({ tenant, list: 'authz_policy' }, page, (name) => policy(tenant, name)),
      subjects: (tenant, page) =>
        list({ tenant, list: 'authz_subject' }, page, (name) => subject(tenant, name)),
    },
  };
};

const reachesOnly =
  (only: readonly string[]) =>
  ({ sourceGroupIds }: ApiKeyRow): boolean =>
    sourceGroupIds?.every((id) => only.includes(id)) ?? false;
