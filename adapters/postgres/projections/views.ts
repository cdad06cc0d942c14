import type { ApiKeyRow, AuthzPolicyRow, AuthzSubjectRow } from '../../../application/ports/access-views.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import type { DataSourceRow, IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { SecretRow } from '../../../application/ports/secrets.ts';
import type { ApiKeyEvent } from '../../../domain/api-key/decider.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from '../../../domain/authz/decider.ts';
import type { ConversationEvent } from '../../../domain/conversation/index.ts';
import type { DataSourceEvent } from '../../../domain/data-source/index.ts';
import type { IngestionSettingEvent } from '../../../domain/ingestion-setting/index.ts';
import {
  apiKeyRow,
  authzPolicyRow,
  authzSubjectRow,
  secretRow,
} from '../../../application/read-models/access-rows.ts';
import { conversationRow } from '../../../application/read-models/conversation-row.ts';
import {
  dataSourceRow,
  dataSourceRowOfUnknown,
  type RowContext,
} from '../../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { isUnknown, type ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';

import type { RedactionPolicyEvent } from '../../../domain/redaction/index.ts';
import { redactionPolicyRow } from '../../../application/read-models/redaction-policy-row.ts';
import type { SecretEvent } from '../../../domain/secret/decider.ts';
import { createRowProjection } from './projection.ts';

const context = ({ streamId: id, metadata: { tenant }, revision }: ProjectedEvent): RowContext => ({
  id,
  tenant,
  revision,
});

/**
 * Data sources for lists, single reads and the queries of workers. A removed data source keeps a row that no
 * read shows.
 */
export const dataSourceProjection = createRowProjection<DataSourceRow>({
  view: 'data_source',
  shape: 8,
  filter: { categories: ['dataSource'] },
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
  keyOf: ({ streamId }) => streamId,
  acceptsUnknown: true,
  fold: (row, event) =>
    isUnknown(event)
      ? dataSourceRowOfUnknown(row, event.revision)
      : dataSourceRow(row, event.event as DataSourceEvent, context(event)),
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
  filter: { categories: ['ingestionSetting'] },
  columns: { tenant: 'text', dataSourceId: 'uuid', name: 'text', scheduled: 'boolean' },
  indexes: ['(data_source_id)', '(id) where scheduled'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => ingestionSettingRow(row, event.event as IngestionSettingEvent, context(event)),
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
  filter: { categories: ['redactionPolicy'] },
  columns: { tenant: 'text', deleted: 'boolean' },
  indexes: ['(tenant, id desc)'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => redactionPolicyRow(row, event.event as RedactionPolicyEvent, context(event)),
  columnsOf: ({ tenant, deleted }) => ({ tenant, deleted: String(deleted) }),
  countedIn: ({ tenant, deleted }) => (deleted ? null : { tenant, list: 'redaction_policy' }),
});

/** Secrets, without their values. A deleted secret keeps a row that no read shows. */
export const secretProjection = createRowProjection<SecretRow>({
  view: 'secret',
  shape: 2,
  filter: { categories: ['secret'] },
  columns: { tenant: 'text', deleted: 'boolean' },
  indexes: ['(tenant, id desc)'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => secretRow(row, event.event as SecretEvent, context(event)),
  columnsOf: ({ tenant, deleted }) => ({ tenant, deleted: String(deleted) }),
  countedIn: ({ tenant, deleted }) => (deleted ? null : { tenant, list: 'secret' }),
});

/** API keys by the hash of the key. A revoked key has no row. */
export const apiKeyProjection = createRowProjection<ApiKeyRow>({
  view: 'api_key',
  shape: 2,
  filter: { categories: ['apiKey'] },
  columns: { tenant: 'text', keyHash: 'text' },
  indexes: ['(tenant, id desc)', '(key_hash)'],
  keyOf: ({ event }) => (event as ApiKeyEvent).keyId,
  fold: (row, { event, streamId, revision }) =>
    apiKeyRow(row, event as ApiKeyEvent, { tenant: streamId, revision }),
  columnsOf: ({ tenant, keyHash }) => ({ tenant, keyHash }),
  countedIn: ({ tenant }) => ({ tenant, list: 'api_key' }),
});

/** Conversations by principal. A deleted conversation has no row. */
export const conversationProjection = createRowProjection<ConversationRow>({
  view: 'conversation',
  shape: 2,
  filter: { categories: ['conversation'] },
  columns: { tenant: 'text', principal: 'text' },
  indexes: ['(tenant, principal, id desc)'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => conversationRow(row, event.event as ConversationEvent, context(event)),
  columnsOf: ({ tenant, principalId }) => ({ tenant, principal: principalId ?? '' }),
  countedIn: ({ tenant, principalId }) => ({ tenant, list: principalId ?? '' }),
});

/** Authz policies by name. A deleted policy has no row. */
export const authzPolicyProjection = createRowProjection<AuthzPolicyRow>({
  view: 'authz_policy',
  shape: 2,
  filter: { categories: ['authzPolicy'] },
  columns: { tenant: 'text', name: 'text collate "C"' },
  indexes: ['(tenant, name)'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => authzPolicyRow(row, event.event as AuthzPolicyEvent, context(event)),
  columnsOf: ({ tenant, name }) => ({ tenant, name }),
  countedIn: ({ tenant }) => ({ tenant, list: 'authz_policy' }),
});

/** Attributes of principals for authz policies. A principal without attributes has no row. */
export const authzSubjectProjection = createRowProjection<AuthzSubjectRow>({
  view: 'authz_subject',
  shape: 2,
  filter: { categories: ['authzSubject'] },
  columns: { tenant: 'text', name: 'text collate "C"' },
  indexes: ['(tenant, name)'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => authzSubjectRow(row, event.event as AuthzSubjectEvent, context(event)),
  columnsOf: ({ tenant, principalId }) => ({ tenant, name: principalId }),
  countedIn: ({ tenant }) => ({ tenant, list: 'authz_subject' }),
});
