import { completions, scripted } from '../../support/completions.ts';
import { createHash } from 'node:crypto';
import type { UploadPart } from '../../../application/upload/upload-part.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import type { StopSignals } from '../../../adapters/http/stop-steps.ts';
import type {
  NamedDataSource,
  DataSourceRow,
  IngestionSettingRow,
} from '../../../application/ports/data-source-view.ts';
import type { ContentRecord } from '../../../application/ports/contents.ts';
import type { SourceRecord } from '../../../application/ports/sources.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import type { SecretRecord } from '../../../application/secret/record.ts';
import type { SourceGroupRecord } from '../../../application/ports/source-group-view.ts';
import type { SubjectRecord } from '../../../application/authz/subject-operations.ts';
import type { Policy } from '../../../domain/authz/index.ts';
import type { TagBindingRecord, TagRecord } from '../../../application/ports/tag-view.ts';
import type { ReadableConversation } from '../../../application/conversation/operations.ts';
import type { AuditEntry } from '../../../application/data-source/audit-trail.ts';
import type { ApiKeyRow } from '../../../application/ports/api-key-view.ts';
import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { DataSourceEvent, DataSourceKind } from '../../../domain/data-source/index.ts';
import type { ConversationEvent } from '../../../domain/conversation/index.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { apiKeyRow } from '../../../application/read-models/api-key-row.ts';
import { conversationRow } from '../../../application/read-models/conversation-row.ts';
import { dataSourceRow } from '../../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { redactionPolicyRow } from '../../../application/read-models/redaction-policy-row.ts';
import { rowAfter } from '../../support/row-after.ts';
import { SCOPES, type Scope } from '../../../domain/api-key/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { fakeKind } from './fake-kinds.ts';

export const NOW = 1_790_000_000_123;
export const ID = '0199d2a0-0000-7000-8000-000000000001';
export const OTHER_ID = '0199d2a0-0000-7000-8000-0000000000ff';
export const KEY = 'kn_all-scopes';
export const POSITION = '00000000000000000042:00000000000000000007';

const TENANT = 'tenant-1';

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
const dataSourceOf = (kind: DataSourceKind, events: readonly DataSourceEvent[] = []): NamedDataSource => {
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

const readAll = async (parts: AsyncIterable<UploadPart>): Promise<void> => {
  for await (const part of parts) {
    if (part.kind === 'file') for await (const _ of part.body);
  }
};

const CANCELED: readonly DataSourceEvent[] = [
  { type: 'JobClaimed', jobId: OTHER_ID, workerId: 'w1', epoch: 1, at: NOW },
  { type: 'JobCancelRequested', jobId: OTHER_ID, at: NOW },
];
const DELETED: readonly DataSourceEvent[] = [
  { type: 'DataSourceDeletionRequested', interruptedJobId: null, at: NOW },
];

const settingRow: IngestionSettingRow = rowAfter(
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

const settingOf = (kind: DataSourceKind): IngestionSettingRow => ({
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
  sourceId: OTHER_ID,
  keywords: ['begin'],
};

export const RAW = Buffer.from('<h1>Begin</h1> <script>alert(1)</script>');
export const RAW_SHA = createHash('sha256').update(RAW).digest('hex');
const source: SourceRecord = {
  id: OTHER_ID,
  sourceGroupId: ID,
  sourceType: 'crawl',
  title: 'Begin',
  url: 'https://docs.example.com/begin',
  fileType: 'html',
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

const sourceGroup: SourceGroupRecord = {
  id: ID,
  name: 'Docs',
  kind: 'crawl',
  status: 'success',
  sourceCount: 3,
  contentCount: 7,
  tagIds: [OTHER_ID],
  ingestionSettingId: OTHER_ID,
  createdAt: NOW,
};

const redactionPolicy: RedactionPolicyRow = rowAfter(
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

const readers: Policy = {
  policyId: ID,
  name: 'readers',
  description: 'by department',
  sourceMetadata: { filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }] },
  chunkMetadata: null,
  createdAt: NOW,
};
const knownPolicy = (name: string): void => {
  if (name !== readers.name && name !== 'default')
    throw new DomainError('not_found', 'there is no such authz policy');
};

const authzSubject: SubjectRecord = {
  principalId: 'jo@example.com',
  policies: [{ authzPolicy: 'readers', attributes: { department: ['sales'], level: 3, chief: false } }],
  createdAt: NOW,
};

const secret: SecretRecord = {
  id: ID,
  name: 'GitHub',
  secretType: 'token',
  expiresAt: NOW + 60_000,
  createdAt: NOW,
  changedAt: NOW,
  lastUsedAt: NOW,
  inUse: 2,
};

const tag: TagRecord = {
  id: OTHER_ID,
  name: 'manuals',
  description: 'what customers get',
  createdAt: NOW,
  sourceGroupCount: 1,
};

const tagBinding: TagBindingRecord = {
  id: ID,
  tagId: OTHER_ID,
  sourceGroupId: ID,
  createdAt: NOW,
};

const ENDING = { finishReason: 'stop', model: 'small-1', usage: { inputTokens: 9, outputTokens: 4 } };
const conversation: ReadableConversation = {
  row: rowAfter<ConversationRow, ConversationEvent, { id: string; tenant: string }>(
    conversationRow,
    { id: ID, tenant: TENANT },
    { type: 'ConversationStarted', principalId: 'jo', at: NOW },
    { type: 'UserMessageAdded', messageId: OTHER_ID, parentId: null, at: NOW },
    { type: 'AnswerBegun', messageId: ID, parentId: OTHER_ID, sourceGroupIds: null, at: NOW },
    { type: 'AnswerBegun', messageId: OTHER_ID, parentId: OTHER_ID, sourceGroupIds: null, at: NOW },
    { type: 'AnswerFailed', messageId: OTHER_ID, code: 'provider_timeout', at: NOW + 5_000 },
  ),
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
    tenant: 'tenant-1',
    actor: { kind: 'worker', id: 'w1' },
    $correlationId: 'c',
    $causationId: 'd',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  recordedAt: NOW,
});

/** Ids that name something; everything else is not found. */
const known = (id: string): void => {
  if (id !== ID && id !== OTHER_ID) throw new DomainError('not_found', 'there is no such thing');
};

const pageOf = <Row>(row: Row) => ({ rows: [row], hasMore: true, total: 3 });
const written = <Record>(record: Record, changed = true) => ({ record, position: POSITION, changed });

async function* all<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/**
 * Operations that succeed, in memory, for one data source of each kind, one setting, one source, one content and one key.
 * What is logged as an error goes to `errors`.
 */
export const fakeOperations = (stop: StopSignals, errors: unknown[] = []): HttpDeps => {
  const authenticate = async (key: string | undefined) => {
    if (key === undefined) return { ok: false, reason: 'missing_api_key' } as const;
    if (key === 'kn_expired') return { ok: false, reason: 'expired_api_key' } as const;
    const row = keyRow(key);
    return row === null
      ? ({ ok: false, reason: 'invalid_api_key' } as const)
      : ({ ok: true, key: row } as const);
  };
  let made = 0;
  const key = keyRow(KEY) as ApiKeyRow;
  return {
    authenticate: Object.assign(authenticate, { forget: () => undefined }),
    createDataSource: async (_caller, { name, parameters }) =>
      written({ ...dataSourceOf(parameters.kind), name }),
    dataSources: {
      get: async (_caller, kind, id) => (known(id), dataSourceOf(kind)),
      list: async (_caller, kind) => pageOf(dataSourceOf(kind)),
      cancel: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind, CANCELED))),
      sync: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind))),
      remove: async (_caller, kind, id) => (known(id), written(dataSourceOf(kind, DELETED))),
    },
    createLocalFileGroup: async (_caller, parts) => {
      await readAll(parts);
      return written({ sourceGroupId: ID });
    },
    addLocalFiles: async (_caller, id, parts) => {
      known(id);
      await readAll(parts);
      return written(dataSourceOf('local_file_group'));
    },
    auditTrail: {
      page: async (_caller, _kind, id) => (known(id), pageOf(auditEntry(0))),
      follow: async (_caller, _kind, id) => (known(id), all([auditEntry(0), auditEntry(1)])),
    },
    unitErrors: async (_caller, _kind, id) => {
      known(id);
      const locator = 'https://docs.example.com/broken';
      const error = { locator, code: 'http_500', message: 'answered 500', at: NOW, attempt: 2 };
      return { errors: pageOf(error), blocked: ['https://docs.example.com/private'] };
    },
    settings: {
      get: async (_caller, kind, id) => (known(id), settingOf(kind)),
      change: async (_caller, kind, id, change) => {
        known(id);
        const schedule = change.rrule === null ? null : settingRow.schedule;
        return written({ ...settingOf(kind), name: change.name ?? settingRow.name, schedule });
      },
      occurrences: async (_caller, _kind, id) => (known(id), [NOW, NOW + 86_400_000]),
    },
    sources: {
      list: async () => pageOf(source),
      get: async (_caller, id) => (known(id), source),
      raw: async (_caller, id) => {
        known(id);
        return {
          sha256: RAW_SHA,
          bytes: RAW.length,
          mediaType: 'text/html; charset=utf-8',
          name: 'begin.html',
          open: async (range) => {
            const start = range?.start ?? 0;
            const end = range?.end ?? RAW.length - 1;
            return { bytes: RAW.length, start, end, stream: all([RAW.subarray(start, end + 1)]) };
          },
        };
      },
      contents: async (_caller, id) => (known(id), pageOf(content)),
      content: async (_caller, id) => (known(id), content),
      replaceMetadata: async (_caller, id, metadata) => (known(id), written({ ...source, metadata })),
      deleteMetadata: async (_caller, id) => (known(id), written(source)),
      remove: async (_caller, id) => (known(id), written(source)),
    },
    search: {
      search: async (_caller, { mode }) => {
        if (mode === 'vector') throw new DomainError('not_configured', 'no embedding provider is set up');
        const results = [{ content, score: 0.5, ranks: { keyword: 1 } }];
        return { results, queryId: OTHER_ID, totalCandidates: 1, mode: 'keyword', reranked: false };
      },
      query: async () => pageOf(content),
      highlight: async (_query, texts) => texts.map(() => [{ start: 0, end: 4 }]),
    },
    complete: completions(scripted('It is so [1].')).complete,
    extract: async (_caller, { from }) => {
      if (from.kind !== 'search') from.ids.forEach(known);
      const told = { data: { begins: true }, finishReason: 'stop', model: 'small-1', usage: null } as const;
      return { ...told, citations: [content] };
    },
    sourceGroups: {
      list: async () => pageOf(sourceGroup),
      get: async (_caller, id) => (known(id), sourceGroup),
      rename: async (_caller, id, name) => (known(id), written({ ...sourceGroup, name })),
    },
    tags: {
      create: async (_caller, request) => {
        if (request.name === 'taken')
          throw new DomainError('name_taken', 'there is a tag of this name already');
        return written({ ...tag, ...request });
      },
      list: async () => pageOf(tag),
      get: async (_caller, id) => (known(id), tag),
      change: async (_caller, id, change) => (known(id), written({ ...tag, ...change })),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    redactionPolicies: {
      create: async (_caller, request) => written({ ...redactionPolicy, ...request }),
      list: async () => pageOf(redactionPolicy),
      get: async (_caller, id) => (known(id), redactionPolicy),
      change: async (_caller, id, request) => (known(id), written({ ...redactionPolicy, ...request })),
      remove: async (_caller, id) => (known(id), written(id)),
      test: async (_caller, id, text) => (
        known(id),
        { text, findings: [{ rule: 'email', kind: 'email', start: 0, end: 1 }] }
      ),
    },
    tagBindings: {
      bind: async (_caller, pair) => {
        known(pair.tagId);
        return written({ ...tagBinding, ...pair }, pair.sourceGroupId !== OTHER_ID);
      },
      list: async () => pageOf(tagBinding),
      get: async (_caller, id) => (known(id), tagBinding),
      unbind: async (_caller, id) => (known(id), written(id)),
    },
    conversations: {
      list: async () => pageOf(conversation.row),
      get: async (_caller, id) => (known(id), conversation),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    authzPolicies: {
      create: async (_caller, name, request) => {
        if (name === 'taken') throw new DomainError('name_taken', 'there is a policy of this name already');
        return written({ ...readers, name, description: request.description });
      },
      list: async () => pageOf(readers),
      get: async (_caller, name) => (knownPolicy(name), readers),
      replace: async (_caller, name) => (knownPolicy(name), written(readers)),
      remove: async (_caller, name) => (knownPolicy(name), written(name)),
    },
    authzSubjects: {
      list: async () => pageOf(authzSubject),
      get: async (_caller, principalId) => ({ ...authzSubject, principalId }),
      set: async (_caller, principalId, authzPolicy, attributes) => {
        if (authzPolicy === 'unknown')
          throw new DomainError('authz_policy_not_found', 'there is no such policy');
        return written({ ...authzSubject, principalId, policies: [{ authzPolicy, attributes }] });
      },
      remove: async (_caller, principalId) => written(principalId),
    },
    secrets: {
      create: async () => written(secret),
      list: async () => pageOf(secret),
      get: async (_caller, id) => (known(id), secret),
      change: async (_caller, id) => (known(id), written(secret)),
      remove: async (_caller, id) => (known(id), written(id)),
    },
    apiKeys: {
      issue: async (_caller, request) => written({ row: { ...key, ...request }, key: 'kn_new' }),
      list: async () => pageOf(key),
      get: async (_caller, id) => (known(id), key),
      rotate: async (_caller, id) => (known(id), written({ row: key, key: 'kn_new' })),
      revoke: async (_caller, id) => (known(id), written(id)),
    },
    events: {
      page: async (_caller, _filter, _after, limit) => ({
        events: [recorded(1), recorded(2), recorded(3)].slice(0, limit),
        position: recorded(3).position,
      }),
      pageBack: async (_caller, _filter, _before, limit) =>
        [recorded(3), recorded(2), recorded(1)].slice(0, limit),
      mustHold: async () => {},
      replay: () => all([recorded(1), recorded(2)]),
      follow: () =>
        all([
          { kind: 'events', events: [recorded(1), recorded(2)], position: recorded(5).position },
          { kind: 'checkpoint', position: recorded(5).position },
          { kind: 'caughtUp', position: recorded(5).position },
        ]),
    },
    gate: { reached: async () => true },
    feed: { holds: async () => true },
    clock: { now: () => NOW },
    ids: { newId: () => `0199d2a0-0000-7000-9000-${String((made += 1)).padStart(12, '0')}` },
    log: { info: () => undefined, warn: () => undefined, error: (...told) => void errors.push(told) },
    notReady: async () => ({}),
    stop,
    keepAliveMs: 60_000,
  };
};
