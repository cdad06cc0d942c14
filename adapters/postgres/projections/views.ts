import type { ApiKeyRow, AuthzPolicyRow, AuthzSubjectRow } from '../../../application/ports/access-views.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import type { DataSourceRow, IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { SecretRow } from '../../../application/ports/secrets.ts';
import type { WebhookRow } from '../../../application/ports/webhooks.ts';
import {
  apiKeyFold,
  authzPolicyFold,
  authzSubjectFold,
  conversationFold,
  dataSourceFold,
  ingestionSettingFold,
  redactionPolicyFold,
  secretFold,
  webhookFold,
} from '../../../application/read-models/row-folds.ts';
import { createRowProjection } from './projection.ts';

/**
 * Data sources for lists, single reads and the queries of workers. A removed data source keeps a row that no
 * read shows.
 */
export const dataSourceProjection = createRowProjection<DataSourceRow>({
  view: 'data_source',
  shape: 11,
  ...dataSourceFold,
  columns: {
    tenant: 'text',
    kind: 'text',
    status: 'text',
    notBefore: 'bigint',
    ingestionSettingId: 'uuid',
    statusSince: 'bigint',
  },
  indexes: [
    '(tenant, kind, id desc)',
    `(tenant, id desc) where status <> 'removed'`,
    `(status, not_before) where status in
      ('queued', 'deleting', 'starting', 'started', 'canceling', 'managed', 'delete_job_failure')`,
  ],
  columnsOf: ({ tenant, subject, status, notBefore, ingestionSettingId, statusSince }) => ({
    tenant,
    kind: subject.kind,
    status,
    notBefore,
    ingestionSettingId,
    statusSince,
  }),
  countedIn: ({ tenant, subject, status }) => (status === 'removed' ? null : { tenant, list: subject.kind }),
});

export const ingestionSettingProjection = createRowProjection<IngestionSettingRow>({
  view: 'ingestion_setting',
  shape: 2,
  ...ingestionSettingFold,
  columns: { tenant: 'text', dataSourceId: 'uuid', name: 'text', scheduled: 'boolean' },
  indexes: ['(data_source_id)', '(id) where scheduled'],
  columnsOf: ({ tenant, dataSourceId, name, schedule }) => ({
    tenant,
    dataSourceId,
    name,
    scheduled: schedule === null ? 'false' : 'true',
  }),
  countedIn: () => null,
});

/** Redaction policies. A deleted policy keeps a row that no read shows. */
export const redactionPolicyProjection = createRowProjection<RedactionPolicyRow>({
  view: 'redaction_policy',
  shape: 2,
  ...redactionPolicyFold,
  columns: { tenant: 'text', deleted: 'boolean' },
  indexes: ['(tenant, id desc)'],
  columnsOf: ({ tenant, deleted }) => ({ tenant, deleted: String(deleted) }),
  countedIn: ({ tenant, deleted }) => (deleted ? null : { tenant, list: 'redaction_policy' }),
});

/** Secrets, without their values. A deleted secret keeps a row that no read shows. */
export const secretProjection = createRowProjection<SecretRow>({
  view: 'secret',
  shape: 2,
  ...secretFold,
  columns: { tenant: 'text', deleted: 'boolean' },
  indexes: ['(tenant, id desc)'],
  columnsOf: ({ tenant, deleted }) => ({ tenant, deleted: String(deleted) }),
  countedIn: ({ tenant, deleted }) => (deleted ? null : { tenant, list: 'secret' }),
});

/** Webhooks, without their secrets. A deleted webhook keeps a row that no read shows. */
export const webhookProjection = createRowProjection<WebhookRow>({
  view: 'webhook',
  shape: 1,
  ...webhookFold,
  columns: { tenant: 'text', deleted: 'boolean', enabled: 'boolean' },
  indexes: ['(tenant, id desc)', '(id) where enabled and not deleted'],
  columnsOf: ({ tenant, deleted, enabled }) => ({
    tenant,
    deleted: String(deleted),
    enabled: String(enabled),
  }),
  countedIn: ({ tenant, deleted }) => (deleted ? null : { tenant, list: 'webhook' }),
});

/** API keys by the hash of the key. A revoked key has no row. */
export const apiKeyProjection = createRowProjection<ApiKeyRow>({
  view: 'api_key',
  shape: 2,
  ...apiKeyFold,
  columns: { tenant: 'text', keyHash: 'text' },
  indexes: ['(tenant, id desc)', '(key_hash)'],
  columnsOf: ({ tenant, keyHash }) => ({ tenant, keyHash }),
  countedIn: ({ tenant }) => ({ tenant, list: 'api_key' }),
});

/** Conversations by principal. A deleted conversation has no row. */
export const conversationProjection = createRowProjection<ConversationRow>({
  view: 'conversation',
  shape: 3,
  ...conversationFold,
  columns: { tenant: 'text', principal: 'text' },
  indexes: ['(tenant, principal, id desc)'],
  columnsOf: ({ tenant, principalId }) => ({ tenant, principal: principalId ?? '' }),
  countedIn: ({ tenant, principalId }) => ({ tenant, list: principalId ?? '' }),
});

/** Authz policies by name. A deleted policy has no row. */
export const authzPolicyProjection = createRowProjection<AuthzPolicyRow>({
  view: 'authz_policy',
  shape: 2,
  ...authzPolicyFold,
  columns: { tenant: 'text', name: 'text collate "C"' },
  indexes: ['(tenant, name)'],
  columnsOf: ({ tenant, name }) => ({ tenant, name }),
  countedIn: ({ tenant }) => ({ tenant, list: 'authz_policy' }),
});

/** Attributes of principals for authz policies. A principal without attributes has no row. */
export const authzSubjectProjection = createRowProjection<AuthzSubjectRow>({
  view: 'authz_subject',
  shape: 2,
  ...authzSubjectFold,
  columns: { tenant: 'text', name: 'text collate "C"' },
  indexes: ['(tenant, name)'],
  columnsOf: ({ tenant, principalId }) => ({ tenant, name: principalId }),
  countedIn: ({ tenant }) => ({ tenant, list: 'authz_subject' }),
});
