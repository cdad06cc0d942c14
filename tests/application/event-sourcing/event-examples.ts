import type { DomainEvent } from '../../../application/event-sourcing/domain-event.ts';
import type { DataSourceKind, DataSourceSubject } from '../../../domain/data-source/index.ts';
import { AGENT_EXAMPLES } from '../agents/runs/event-examples.ts';

type Examples = { readonly [T in DomainEvent['type']]: readonly Extract<DomainEvent, { type: T }>[] };

const at = 1_763_650_000_000;
const jobId = '019a0000-0000-7000-8000-00000000000a';
const dataSourceId = '019a0000-0000-7000-8000-00000000000b';
const ingestionSettingId = '019a0000-0000-7000-8000-00000000000c';
const valueId = '019a0000-0000-7000-8000-00000000000e';
const tagId = '019a0000-0000-7000-8000-00000000000d';
const sha = (digit: string): string => digit.repeat(64);
const error = { title: 'Start URL not reachable', message: 'https://docs.example.org/ answered 503' };
const counts = { seen: 12, indexed: 5, unchanged: 4, skipped: 2, failed: 1, bytes: 73_114 };
const registered = { type: 'DataSourceRegistered', ingestionSettingId, metadata: [], jobId, at } as const;
const visit = {
  dataSourceId,
  sourceType: 'crawl',
  locator: 'https://docs.example.org/guide',
  jobId,
  generation: 3,
  at,
} as const;

/** What data sources point at, in the order of the file; one of a new kind is written at its end. */
const SUBJECTS: {
  readonly [K in DataSourceKind]: Extract<DataSourceSubject, { readonly kind: K }>;
} = {
  crawl: { kind: 'crawl', startUrl: 'https://docs.example.org/' },
  repo: {
    kind: 'repo',
    repository: 'acme/handbook',
    referenceType: 'branch',
    referenceParam: 'main',
    pathFilters: ['docs/**', '!docs/old/**'],
  },
  cloud_drive: { kind: 'cloud_drive', folderUrl: 'https://drive.example.com/f/1' },
  wiki: { kind: 'wiki', pageId: 'p-77' },
  local_file_group: { kind: 'local_file_group' },
  push: { kind: 'push' },
};

/**
 * What the files in stored-events/ must be read as: for each type, in the order of each file. Written in the newest
 * shape. When a change here stops an older file from matching, the change is a new version with an upcaster.
 */
export const EXAMPLES: Examples = {
  ...AGENT_EXAMPLES,
  DataSourceRegistered: Object.values(SUBJECTS).map((subject) => ({
    ...registered,
    subject,
    ...(subject.kind === 'crawl' && { metadata: [{ key: 'team', val: 'search – größer' }] }),
  })),
  JobQueued: [
    { type: 'JobQueued', jobId, attempt: 1, trigger: 'create', mode: 'full', generation: 1, at },
    {
      type: 'JobQueued',
      jobId,
      attempt: 1,
      trigger: 'schedule',
      mode: 'incremental',
      generation: 2,
      dueAt: at - 500,
      at,
    },
    { type: 'JobQueued', jobId, attempt: 1, trigger: 'push', mode: 'incremental', generation: 3, at },
  ],
  JobClaimed: [{ type: 'JobClaimed', jobId, workerId: 'host-1/4711', epoch: 4, at }],
  JobHandedOff: [{ type: 'JobHandedOff', jobId, executor: 'batch', externalId: 'run-9', epoch: 5, at }],
  JobStarted: [{ type: 'JobStarted', jobId, attempt: 2, at }],
  JobProgressed: [{ type: 'JobProgressed', jobId, counts, at }],
  JobSucceeded: [
    { type: 'JobSucceeded', jobId, counts, generation: 3, afterCancelRequest: false, at },
    { type: 'JobSucceeded', jobId, counts, generation: 3, afterCancelRequest: true, at },
  ],
  JobFailed: [
    { type: 'JobFailed', jobId, error, code: 'not_reachable', at },
    { type: 'JobFailed', jobId, error, code: 'not_reachable', counts, at },
  ],
  JobRequeued: [
    { type: 'JobRequeued', jobId, reason: 'worker_lost', attempt: 2, notBefore: at + 10_000, at },
    { type: 'JobRequeued', jobId, reason: 'transient_error', attempt: 1, notBefore: at + 10_000, error, at },
  ],
  JobCancelRequested: [{ type: 'JobCancelRequested', jobId, at }],
  JobCanceled: [
    { type: 'JobCanceled', jobId, by: 'caller', at },
    { type: 'JobCanceled', jobId, by: 'worker', error, at },
    { type: 'JobCanceled', jobId, by: 'worker', counts, at },
    { type: 'JobCanceled', jobId, by: 'worker_lost', at },
  ],
  DataSourceDeletionRequested: [
    { type: 'DataSourceDeletionRequested', interruptedJobId: jobId, at },
    { type: 'DataSourceDeletionRequested', interruptedJobId: null, at },
  ],
  DataSourceDeleted: [{ type: 'DataSourceDeleted', contents: 40, sources: 5, bytes: 73_114, at }],
  DataSourceDeletionFailed: [{ type: 'DataSourceDeletionFailed', error, at }],
  JobStatusLost: [{ type: 'JobStatusLost', jobId, at }],
  JobStatusReconciled: [
    { type: 'JobStatusReconciled', jobId, status: 'managed', at },
    { type: 'JobStatusReconciled', jobId, status: 'failure', error, at },
    { type: 'JobStatusReconciled', jobId, status: 'success', counts, at },
  ],
  FilesUploaded: [
    {
      type: 'FilesUploaded',
      jobId,
      list: { sha256: sha('d'), bytes: 4_711 },
      added: 12,
      replaced: 3,
      bytes: 73_114,
      at,
    },
  ],
  ScheduleTickSkipped: [{ type: 'ScheduleTickSkipped', dueAt: at - 500, at }],
  IngestionSettingCreated: [
    {
      type: 'IngestionSettingCreated',
      dataSourceId,
      name: 'Docs',
      parameters: {
        kind: 'crawl',
        startUrl: 'https://docs.example.org/',
        maxDepth: 3,
        maxNumFiles: 500,
        pathFilters: ['/guide/**'],
        contentPattern: ['release'],
        htmlOnly: true,
        useBrowser: false,
        noCanonicalCheck: false,
        fileExtensions: ['.html'],
      },
      schedule: { rrule: 'FREQ=DAILY;BYHOUR=3', start: at },
      at,
    },
  ],
  IngestionSettingRenamed: [{ type: 'IngestionSettingRenamed', name: 'Documentation', at }],
  IngestionParametersChanged: [
    {
      type: 'IngestionParametersChanged',
      parameters: {
        kind: 'crawl',
        startUrl: 'https://docs.example.org/',
        maxDepth: 5,
        maxNumFiles: 1000,
        pathFilters: [],
        contentPattern: [],
        htmlOnly: false,
        useBrowser: false,
        noCanonicalCheck: true,
        fileExtensions: [],
      },
      at,
    },
  ],
  ScheduleSet: [{ type: 'ScheduleSet', schedule: { rrule: 'FREQ=WEEKLY;BYDAY=MO', start: at }, at }],
  ScheduleRemoved: [{ type: 'ScheduleRemoved', at }],
  SourceIndexed: [
    {
      type: 'SourceIndexed',
      ...visit,
      url: 'https://docs.example.org/guide',
      title: 'Guide',
      fileType: 'html',
      mediaType: 'text/html; charset=utf-8',
      raw: { sha256: sha('a'), bytes: 8_192 },
      chunkSet: { sha256: sha('b'), bytes: 4_096, chunks: 7 },
    },
    {
      type: 'SourceIndexed',
      ...visit,
      url: 'https://docs.example.org/anleitung',
      title: 'Anleitung',
      language: 'de',
      fileType: 'html',
      mediaType: 'text/html; charset=utf-8',
      raw: { sha256: sha('a'), bytes: 8_192 },
      chunkSet: { sha256: sha('b'), bytes: 4_096, chunks: 7 },
    },
  ],
  SourceSkipped: [
    { type: 'SourceSkipped', ...visit, reason: 'robots' },
    {
      type: 'SourceSkipped',
      ...visit,
      url: 'https://docs.example.org/film',
      title: 'Film',
      reason: 'too_large',
    },
  ],
  SourceFailed: [
    { type: 'SourceFailed', ...visit, code: 'timed_out', message: 'no answer in 30 s' },
    {
      type: 'SourceFailed',
      ...visit,
      url: 'https://docs.example.org/guide',
      title: 'Guide',
      code: 'encrypted',
      message: 'it needs a password',
    },
  ],
  SourceRemoved: [
    { type: 'SourceRemoved', dataSourceId, reason: 'not_seen', jobId, generation: 4, at },
    { type: 'SourceRemoved', dataSourceId, reason: 'gone', jobId, generation: 4, at },
    { type: 'SourceRemoved', dataSourceId, reason: 'data_source_deleted', jobId, generation: 4, at },
    { type: 'SourceRemoved', dataSourceId, reason: 'requested', jobId: '', generation: 5, at },
  ],
  SourceMetadataReplaced: [
    {
      type: 'SourceMetadataReplaced',
      records: [
        { key: 'year', val: '2025', type: 'integer' },
        { key: 'since', val: '2025-11-20', type: 'date' },
      ],
      at,
    },
    {
      type: 'SourceMetadataReplaced',
      records: [{ key: 'year', val: '2025', type: 'integer' }],
      provided: [{ key: 'author', val: 'Ada', type: 'string' }],
      at,
    },
  ],
  SourceMetadataDeleted: [{ type: 'SourceMetadataDeleted', at }],
  RedactionPolicyCreated: [
    {
      type: 'RedactionPolicyCreated',
      name: 'Persönliches',
      rules: [
        { name: 'email', kind: 'email' },
        { name: 'ticket', kind: 'pattern', pattern: '\\bT-\\d{6}\\b', replacement: '•••' },
      ],
      appliesTo: ['ingestion', 'completion'],
      at,
    },
  ],
  RedactionPolicyChanged: [
    {
      type: 'RedactionPolicyChanged',
      name: 'Cards',
      rules: [{ name: 'card', kind: 'card', replacement: '[number]' }],
      appliesTo: ['content', 'agent'],
      at,
    },
  ],
  RedactionPolicyDeleted: [{ type: 'RedactionPolicyDeleted', at }],
  ApiKeyIssued: [
    {
      type: 'ApiKeyIssued',
      keyId: jobId,
      name: 'console',
      keyHash: sha('c'),
      scopes: ['knowledge:read', 'apikeys:issue'],
      sourceGroupIds: [dataSourceId],
      expiresAt: at + 1,
      requestsPerMinute: 60,
      at,
    },
    {
      type: 'ApiKeyIssued',
      keyId: jobId,
      name: 'first key',
      keyHash: sha('d'),
      scopes: ['apikeys:issue'],
      sourceGroupIds: null,
      expiresAt: null,
      requestsPerMinute: null,
      at,
    },
  ],
  ApiKeyRotated: [{ type: 'ApiKeyRotated', keyId: jobId, keyHash: sha('e'), at }],
  ApiKeyRevoked: [{ type: 'ApiKeyRevoked', keyId: jobId, at }],
  ConversationStarted: [
    { type: 'ConversationStarted', principalId: 'jo', at },
    { type: 'ConversationStarted', principalId: null, at },
  ],
  UserMessageAdded: [
    { type: 'UserMessageAdded', messageId: jobId, parentId: null, at },
    { type: 'UserMessageAdded', messageId: jobId, parentId: dataSourceId, at },
  ],
  AnswerBegun: [
    { type: 'AnswerBegun', messageId: dataSourceId, parentId: jobId, sourceGroupIds: null, at },
    {
      type: 'AnswerBegun',
      messageId: dataSourceId,
      parentId: jobId,
      sourceGroupIds: [ingestionSettingId],
      at,
    },
  ],
  AnswerFinished: [
    {
      type: 'AnswerFinished',
      messageId: dataSourceId,
      finishReason: 'stop',
      model: 'small-1',
      usage: { inputTokens: 812, outputTokens: 95 },
      citedContentIds: [ingestionSettingId],
      cut: false,
      at,
    },
    {
      type: 'AnswerFinished',
      messageId: dataSourceId,
      finishReason: 'length',
      model: 'small-1',
      usage: null,
      citedContentIds: [],
      cut: true,
      at,
    },
  ],
  AnswerFailed: [{ type: 'AnswerFailed', messageId: dataSourceId, code: 'provider_timeout', at }],
  ConversationDeleted: [{ type: 'ConversationDeleted', at }],
  TagCreated: [
    { type: 'TagCreated', tagId, name: 'Handbücher', description: 'what customers get', at },
    { type: 'TagCreated', tagId, name: 'internal', description: '', at },
  ],
  TagChanged: [{ type: 'TagChanged', tagId, name: 'manuals', description: '', at }],
  TagDeleted: [{ type: 'TagDeleted', tagId, at }],
  TagBound: [{ type: 'TagBound', bindingId: jobId, tagId, sourceGroupId: dataSourceId, at }],
  TagUnbound: [{ type: 'TagUnbound', bindingId: jobId, tagId, sourceGroupId: dataSourceId, at }],
  AuthzPolicyCreated: [
    {
      type: 'AuthzPolicyCreated',
      policyId: jobId,
      name: 'by_department',
      description: 'What a department may read',
      sourceMetadata: {
        logic: 'OR',
        filters: [
          { key: 'department', operator: 'eq', val: { subject: 'department' } },
          { key: 'level', operator: 'between', min: 0, max: { subject: 'level' } },
        ],
        groups: [{ filters: [{ key: 'public', operator: 'exists' }] }],
      },
      chunkMetadata: null,
      at,
    },
  ],
  AuthzPolicyChanged: [
    {
      type: 'AuthzPolicyChanged',
      name: 'default',
      description: '',
      sourceMetadata: null,
      chunkMetadata: { filters: [{ key: 'heading', operator: 'nin', val: ['Geheim – größer'] }] },
      at,
    },
  ],
  AuthzPolicyDeleted: [{ type: 'AuthzPolicyDeleted', name: 'by_department', at }],
  AuthzAttributesSet: [
    {
      type: 'AuthzAttributesSet',
      principalId: 'jo@example.com',
      authzPolicy: 'default',
      attributes: { department: ['sales', 'größer'], level: 3, chief: false, site: 'Graz' },
      at,
    },
  ],
  AuthzAttributesDeleted: [{ type: 'AuthzAttributesDeleted', principalId: 'jo@example.com', at }],
  SecretCreated: [
    { type: 'SecretCreated', name: 'Handbook – größer', secretType: 'token', valueId, expiresAt: null, at },
    { type: 'SecretCreated', name: 'Drive', secretType: 'service_account', valueId, expiresAt: at + 1, at },
  ],
  SecretChanged: [{ type: 'SecretChanged', name: 'Handbook', expiresAt: at + 5, at }],
  SecretValueReplaced: [{ type: 'SecretValueReplaced', valueId, at }],
  SecretRenewed: [{ type: 'SecretRenewed', valueId, at }],
  SecretAttached: [{ type: 'SecretAttached', dataSourceId: dataSourceId, at }],
  SecretDetached: [{ type: 'SecretDetached', dataSourceId: dataSourceId, at }],
  SecretDeleted: [{ type: 'SecretDeleted', at }],
  CompletionKeyClaimed: [{ type: 'CompletionKeyClaimed', conversationId: dataSourceId, answerId: jobId, at }],
  IdempotencyKeyReleased: [{ type: 'IdempotencyKeyReleased', at }],
  IdempotencyKeyUsed: [{ type: 'IdempotencyKeyUsed', at }],
  IdempotencyKeyClaimed: [
    {
      type: 'IdempotencyKeyClaimed',
      operation: 'createCrawl',
      bodyHash: sha('f'),
      ids: [dataSourceId, ingestionSettingId, jobId],
      at,
    },
  ],
};
