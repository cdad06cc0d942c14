import { createHash } from 'node:crypto';
import type {
  NamedDataSource,
  DataSourceRow,
  IngestionSettingRow,
} from '../../../application/ports/data-source-view.ts';
import type { ContentRecord, SourceRecord } from '../../../application/ports/catalog.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import type { WebhookRecord } from '../../../application/webhooks/operations.ts';
import type { Delivery } from '../../../application/ports/webhooks.ts';
import type { SecretRecord } from '../../../application/access/secrets/stored-value.ts';
import type {
  SourceGroupRecord,
  TagBindingRecord,
  TagRecord,
} from '../../../application/ports/source-group-view.ts';
import type { SubjectRecord } from '../../../application/access/authz/subject-operations.ts';
import type { Policy } from '../../../domain/authz/decider.ts';
import type { ReadableConversation } from '../../../application/answers/conversations/operations.ts';
import type { AuditEntry } from '../../../application/sources/data-sources/audit-trail.ts';
import type { ApiKeyRow } from '../../../application/ports/access-views.ts';
import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { DataSourceEvent, DataSourceKind } from '../../../domain/data-source/index.ts';
import type { ConversationEvent } from '../../../domain/conversation/index.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { apiKeyRow } from '../../../application/read-models/access-rows.ts';
import { conversationRow } from '../../../application/read-models/conversation-row.ts';
import { dataSourceRow } from '../../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { redactionPolicyRow } from '../../../application/read-models/redaction-policy-row.ts';
import { rowAfter } from '../../support/row-after.ts';
import { SCOPES, type Scope } from '../../../domain/api-key/decider.ts';
import { fakeKind } from './fake-kinds.ts';

export const NOW = 1_790_000_000_123;
export const ID = '0199d2a0-0000-7000-8000-000000000001';
export const OTHER_ID = '0199d2a0-0000-7000-8000-0000000000ff';
export const KEY = 'kn_all-scopes';
export const POSITION = '00000000000000000042:00000000000000000007';

const TENANT = ID;

/** A key for every case: `kn_<scope>` has one scope, `kn_all-scopes` all, `kn_slow` two requests a minute. */
export const keyRow = (key: string): ApiKeyRow | null => {
  const scope = SCOPES.find((one) => `kn_${one}` === key);
  if (scope === undefined && key !== KEY && key !== 'kn_slow') return null;
  const scopes: readonly Scope[] = scope === undefined ? SCOPES : [scope];
  const limits = { expiresAt: NOW + 3_600_000, requestsPerMinute: key === 'kn_slow' ? 2 : null };
  const facts = { keyId: ID, name: 'a key', keyHash: '0'.repeat(64), scopes, sourceGroupIds: null, at: NOW };
  return rowAfter(apiKeyRow, { tenant: TENANT }, { type: 'ApiKeyIssued', ...facts, ...limits });
};

/** A data source whose first job is queued, after these events too. */
export const dataSourceOf = (
  kind: DataSourceKind,
  events: readonly DataSourceEvent[] = [],
): NamedDataSource => {
  const { subject } = fakeKind(kind);
  const [jobId, ingestionSettingId, metadata] = [OTHER_ID, OTHER_ID, [{ key: 'team', val: 'docs' }]];
  const row = rowAfter<DataSourceRow, DataSourceEvent, { id: string; tenant: string }>(
    dataSourceRow,
    { id: ID, tenant: TENANT },
    { type: 'DataSourceRegistered', subject, ingestionSettingId, metadata, jobId, at: NOW },
    { type: 'JobQueued', jobId, attempt: 1, trigger: 'create', mode: 'full', generation: 1, at: NOW },
    ...events,
  );
  return { row, name: 'Docs', parameters: null };
};

export const CANCELED: readonly DataSourceEvent[] = [
  { type: 'JobClaimed', jobId: OTHER_ID, workerId: 'w1', epoch: 1, at: NOW },
  { type: 'JobCancelRequested', jobId: OTHER_ID, at: NOW },
];
export const DELETED: readonly DataSourceEvent[] = [
  { type: 'DataSourceDeletionRequested', interruptedJobId: null, at: NOW },
];

export const settingRow: IngestionSettingRow = rowAfter(
  ingestionSettingRow,
  { id: OTHER_ID, tenant: TENANT },
  {
    type: 'IngestionSettingCreated',
    dataSourceId: ID,
    name: 'Docs',
    parameters: fakeKind('crawl').parameters,
    schedule: { rrule: 'FREQ=DAILY', start: NOW },
    at: NOW,
  },
);

export const settingOf = (kind: DataSourceKind): IngestionSettingRow => ({
  ...settingRow,
  parameters: fakeKind(kind).parameters,
});

export const content: ContentRecord = {
  id: ID,
  text: 'How to begin',
  url: 'https://docs.example.com/begin',
  title: 'Begin',
  timestamp: 1_790_000_000,
  fileType: 'html',
  pageNumber: 0,
  sourceType: 'crawl',
  sourceGroupId: ID,
  sourceId: OTHER_ID,
  keywords: ['begin'],
};

export const RAW = Buffer.from('<h1>Begin</h1> <script>alert(1)</script>');
export const RAW_SHA = createHash('sha256').update(RAW).digest('hex');
export const source: SourceRecord = {
  id: OTHER_ID,
  sourceGroupId: ID,
  sourceType: 'crawl',
  title: 'Begin',
  url: 'https://docs.example.com/begin',
  locator: 'https://docs.example.com/begin',
  fileType: 'html',
  language: 'en',
  mediaType: 'text/html',
  size: RAW.length,
  sha256: RAW_SHA,
  status: 'indexed',
  skipReason: null,
  error: null,
  lastSeenTime: 1_790_000_000,
  indexedTime: 1_790_000_000,
  contentCount: 1,
  contentMissing: false,
  metadata: [{ key: 'lang', val: 'en', type: 'string' }],
};

export const sourceGroup: SourceGroupRecord = {
  id: ID,
  name: 'Docs',
  kind: 'crawl',
  status: 'success',
  sourceCount: 3,
  contentCount: 7,
  tagIds: [OTHER_ID],
  ingestionSettingId: OTHER_ID,
  createdAt: NOW,
  startedAt: NOW,
  endedAt: NOW,
  syncedAt: NOW,
  error: null,
};

export const redactionPolicy: RedactionPolicyRow = rowAfter(
  redactionPolicyRow,
  { id: OTHER_ID, tenant: TENANT },
  {
    type: 'RedactionPolicyCreated',
    name: 'persons',
    rules: [{ name: 'email', kind: 'email', replacement: '***' }],
    appliesTo: ['ingestion', 'content'],
    at: 1_763_650_000_000,
  },
);

export const readers: Policy = {
  policyId: ID,
  name: 'readers',
  description: 'by department',
  sourceMetadata: { filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }] },
  chunkMetadata: null,
  createdAt: NOW,
};
export const authzSubject: SubjectRecord = {
  principalId: 'jo@example.com',
  policies: [{ authzPolicy: 'readers', attributes: { department: ['sales'], level: 3, chief: false } }],
  createdAt: NOW,
};

export const secret: SecretRecord = {
  id: ID,
  name: 'GitHub',
  secretType: 'token',
  expiresAt: NOW + 60_000,
  createdAt: NOW,
  changedAt: NOW,
  lastUsedAt: NOW,
  inUse: 2,
};

export const webhook: WebhookRecord = {
  id: ID,
  url: 'https://example.com/hook',
  description: '',
  types: ['SourceIndexed'],
  categories: null,
  sourceGroupIds: [OTHER_ID],
  enabled: false,
  enabledAt: NOW,
  disabled: { because: 'failing', detail: 'the receiver answered 500', at: NOW },
  previousSecret: { id: OTHER_ID, until: NOW },
  createdAt: NOW,
  changedAt: NOW,
};

export const delivery: Delivery = {
  id: OTHER_ID,
  webhookId: ID,
  stream: `source-${OTHER_ID}`,
  revision: 0n,
  position: '00000001',
  type: 'SourceIndexed',
  lane: OTHER_ID,
  state: 'pending',
  attempts: 1,
  firstAt: NOW,
  nextAt: NOW,
  status: 500,
  reason: 'the receiver answered 500',
  createdAt: NOW,
  settledAt: null,
};

export const tag: TagRecord = {
  id: OTHER_ID,
  name: 'manuals',
  description: 'what customers get',
  createdAt: NOW,
  sourceGroupCount: 1,
};

export const tagBinding: TagBindingRecord = {
  id: ID,
  tagId: OTHER_ID,
  sourceGroupId: ID,
  createdAt: NOW,
};

const ENDING = { finishReason: 'stop', model: 'small-1', usage: { inputTokens: 9, outputTokens: 4 } };
export const conversation: ReadableConversation = {
  row: {
    ...rowAfter<ConversationRow, ConversationEvent, { id: string; tenant: string }>(
      conversationRow,
      { id: ID, tenant: TENANT },
      { type: 'ConversationStarted', principalId: 'jo', at: NOW },
      { type: 'UserMessageAdded', messageId: OTHER_ID, parentId: null, at: NOW },
      { type: 'AnswerBegun', messageId: ID, parentId: OTHER_ID, sourceGroupIds: null, at: NOW },
      { type: 'AnswerBegun', messageId: OTHER_ID, parentId: OTHER_ID, sourceGroupIds: null, at: NOW },
      { type: 'AnswerFailed', messageId: OTHER_ID, code: 'provider_timeout', at: NOW + 5_000 },
    ),
    title: 'How do I begin?',
  },
  messages: [
    {
      role: 'user',
      id: OTHER_ID,
      parentId: null,
      content: 'How do I begin?',
      preceding: [{ role: 'user', content: 'Hello' }],
      webCitations: [],
      createdAt: NOW,
    },
    {
      role: 'assistant',
      id: ID,
      parentId: OTHER_ID,
      status: 'finished',
      content: 'Like so [1][W1].',
      preceding: [],
      webCitations: [{ url: 'https://web.example/', title: 'A page' }],
      ending: { ...ENDING, citedContentIds: [ID], cut: false },
      errorCode: null,
      createdAt: NOW + 1_000,
    },
    {
      role: 'assistant',
      id: OTHER_ID,
      parentId: OTHER_ID,
      status: 'failed',
      content: null,
      preceding: [],
      webCitations: [],
      ending: null,
      errorCode: 'provider_timeout',
      createdAt: NOW + 2_000,
    },
  ],
};

const QUEUED = { job_id: OTHER_ID, attempt: 1, trigger: 'create', mode: 'full', generation: 1, at: NOW };
const REGISTERED = {
  subject: { kind: 'crawl', start_url: 'https://docs.example.com/' },
  ingestion_setting_id: OTHER_ID,
  metadata: [],
  job_id: OTHER_ID,
  at: NOW,
};

export const auditEntry = (revision: number): AuditEntry => ({
  position: String(revision + 1),
  revision: BigInt(revision),
  type: revision === 0 ? 'DataSourceRegistered' : 'JobQueued',
  recordedAt: NOW + revision,
  actor: { kind: 'api_key', id: ID },
  jobId: revision === 0 ? null : OTHER_ID,
  attempt: revision === 0 ? null : 1,
  fromStatus: revision === 0 ? null : 'not_started',
  toStatus: revision === 0 ? 'not_started' : 'queued',
  data: revision === 0 ? REGISTERED : QUEUED,
  traceId: revision === 0 ? null : '0af7651916cd43dd8448eb211c80319c',
});

export const recorded = (n: number): RecordedEvent => ({
  id: OTHER_ID,
  stream: `dataSource-${ID}`,
  revision: BigInt(n),
  position: String(n).padStart(20, '0'),
  type: 'JobQueued',
  data: QUEUED,
  metadata: {
    tenant: TENANT,
    actor: { kind: 'worker', id: 'w1' },
    $correlationId: 'c',
    $causationId: 'd',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  recordedAt: NOW,
});
