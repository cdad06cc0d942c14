import type { DomainEvent } from '../../application/domain-event.ts';

type Examples = { readonly [T in DomainEvent['type']]: readonly Extract<DomainEvent, { type: T }>[] };

const at = 1_763_650_000_000;
const job_id = '019a0000-0000-7000-8000-00000000000a';
const data_source_id = '019a0000-0000-7000-8000-00000000000b';
const ingestion_setting_id = '019a0000-0000-7000-8000-00000000000c';
const tag_id = '019a0000-0000-7000-8000-00000000000d';
const sha = (digit: string): string => digit.repeat(64);
const error = { title: 'Start URL not reachable', message: 'https://docs.example.org/ answered 503' };
const counts = { seen: 12, indexed: 5, unchanged: 4, skipped: 2, failed: 1, bytes: 73_114 };
const registered = { type: 'DataSourceRegistered', ingestion_setting_id, metadata: [], job_id, at } as const;
const visit = {
  data_source_id,
  source_type: 'crawl',
  locator: 'https://docs.example.org/guide',
  job_id,
  generation: 3,
  at,
} as const;

/**
 * What the files in stored-events/ must be read as: for each type, in the order of each file. Written in the newest
 * shape. When a change here stops an older file from matching, the change is a new version with an upcaster.
 */
export const EXAMPLES: Examples = {
  DataSourceRegistered: [
    {
      ...registered,
      subject: { kind: 'crawl', start_url: 'https://docs.example.org/' },
      metadata: [{ key: 'team', val: 'search – größer' }],
    },
    {
      ...registered,
      subject: {
        kind: 'repo',
        repository: 'acme/handbook',
        reference_type: 'branch',
        reference_param: 'main',
        path_filters: ['docs/**', '!docs/old/**'],
      },
    },
    { ...registered, subject: { kind: 'cloud_drive', folder_url: 'https://drive.example.com/f/1' } },
    { ...registered, subject: { kind: 'wiki', page_id: 'p-77' } },
    { ...registered, subject: { kind: 'local_file_group' } },
  ],
  JobQueued: [
    { type: 'JobQueued', job_id, attempt: 1, trigger: 'create', mode: 'full', generation: 1, at },
    {
      type: 'JobQueued',
      job_id,
      attempt: 1,
      trigger: 'schedule',
      mode: 'incremental',
      generation: 2,
      due_at: at - 500,
      at,
    },
  ],
  JobClaimed: [{ type: 'JobClaimed', job_id, worker_id: 'host-1/4711', epoch: 4, at }],
  JobHandedOff: [{ type: 'JobHandedOff', job_id, executor: 'batch', external_id: 'run-9', epoch: 5, at }],
  JobStarted: [{ type: 'JobStarted', job_id, attempt: 2, at }],
  JobProgressed: [{ type: 'JobProgressed', job_id, counts, at }],
  JobSucceeded: [
    { type: 'JobSucceeded', job_id, counts, generation: 3, after_cancel_request: false, at },
    { type: 'JobSucceeded', job_id, counts, generation: 3, after_cancel_request: true, at },
  ],
  JobFailed: [
    { type: 'JobFailed', job_id, error, code: 'not_reachable', at },
    { type: 'JobFailed', job_id, error, code: 'not_reachable', counts, at },
  ],
  JobRequeued: [
    { type: 'JobRequeued', job_id, reason: 'worker_lost', attempt: 2, not_before: at + 10_000, at },
  ],
  JobCancelRequested: [{ type: 'JobCancelRequested', job_id, at }],
  JobCanceled: [
    { type: 'JobCanceled', job_id, by: 'caller', at },
    { type: 'JobCanceled', job_id, by: 'worker', error, at },
    { type: 'JobCanceled', job_id, by: 'worker', counts, at },
    { type: 'JobCanceled', job_id, by: 'worker_lost', at },
  ],
  DataSourceDeletionRequested: [
    { type: 'DataSourceDeletionRequested', interrupted_job_id: job_id, at },
    { type: 'DataSourceDeletionRequested', interrupted_job_id: null, at },
  ],
  DataSourceDeleted: [{ type: 'DataSourceDeleted', contents: 40, sources: 5, bytes: 73_114, at }],
  DataSourceDeletionFailed: [{ type: 'DataSourceDeletionFailed', error, at }],
  JobStatusLost: [{ type: 'JobStatusLost', job_id, at }],
  JobStatusReconciled: [
    { type: 'JobStatusReconciled', job_id, status: 'managed', at },
    { type: 'JobStatusReconciled', job_id, status: 'failure', error, at },
  ],
  ScheduleTickSkipped: [{ type: 'ScheduleTickSkipped', due_at: at - 500, at }],
  IngestionSettingCreated: [
    {
      type: 'IngestionSettingCreated',
      data_source_id,
      name: 'Docs',
      parameters: {
        kind: 'crawl',
        start_url: 'https://docs.example.org/',
        max_depth: 3,
        max_num_files: 500,
        path_filters: ['/guide/**'],
        content_pattern: ['release'],
        html_only: true,
        use_browser: false,
        no_canonical_check: false,
        file_extensions: ['.html'],
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
        start_url: 'https://docs.example.org/',
        max_depth: 5,
        max_num_files: 1000,
        path_filters: [],
        content_pattern: [],
        html_only: false,
        use_browser: false,
        no_canonical_check: true,
        file_extensions: [],
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
      file_type: 'html',
      media_type: 'text/html; charset=utf-8',
      raw: { sha256: sha('a'), bytes: 8_192 },
      chunk_set: { sha256: sha('b'), bytes: 4_096, chunks: 7 },
    },
  ],
  SourceSkipped: [{ type: 'SourceSkipped', ...visit, reason: 'robots' }],
  SourceFailed: [{ type: 'SourceFailed', ...visit, code: 'timed_out', message: 'no answer in 30 s' }],
  SourceRemoved: [
    { type: 'SourceRemoved', data_source_id, reason: 'not_seen', job_id, generation: 4, at },
    { type: 'SourceRemoved', data_source_id, reason: 'gone', job_id, generation: 4, at },
    { type: 'SourceRemoved', data_source_id, reason: 'data_source_deleted', job_id, generation: 4, at },
    { type: 'SourceRemoved', data_source_id, reason: 'requested', job_id: '', generation: 5, at },
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
      applies_to: ['ingestion', 'completion'],
      at,
    },
  ],
  RedactionPolicyChanged: [
    {
      type: 'RedactionPolicyChanged',
      name: 'Cards',
      rules: [{ name: 'card', kind: 'card', replacement: '[number]' }],
      applies_to: ['content', 'agent'],
      at,
    },
  ],
  RedactionPolicyDeleted: [{ type: 'RedactionPolicyDeleted', at }],
  ApiKeyIssued: [
    {
      type: 'ApiKeyIssued',
      key_id: job_id,
      name: 'console',
      key_hash: sha('c'),
      scopes: ['knowledge:read', 'apikeys:issue'],
      source_group_ids: [data_source_id],
      expires_at: at + 1,
      requests_per_minute: 60,
      at,
    },
    {
      type: 'ApiKeyIssued',
      key_id: job_id,
      name: 'first key',
      key_hash: sha('d'),
      scopes: ['apikeys:issue'],
      source_group_ids: null,
      expires_at: null,
      requests_per_minute: null,
      at,
    },
  ],
  ApiKeyRotated: [{ type: 'ApiKeyRotated', key_id: job_id, key_hash: sha('e'), at }],
  ApiKeyRevoked: [{ type: 'ApiKeyRevoked', key_id: job_id, at }],
  ConversationStarted: [
    { type: 'ConversationStarted', principal_id: 'jo', at },
    { type: 'ConversationStarted', principal_id: null, at },
  ],
  UserMessageAdded: [
    { type: 'UserMessageAdded', message_id: job_id, parent_id: null, at },
    { type: 'UserMessageAdded', message_id: job_id, parent_id: data_source_id, at },
  ],
  AnswerBegun: [
    { type: 'AnswerBegun', message_id: data_source_id, parent_id: job_id, source_group_ids: null, at },
    {
      type: 'AnswerBegun',
      message_id: data_source_id,
      parent_id: job_id,
      source_group_ids: [ingestion_setting_id],
      at,
    },
  ],
  AnswerFinished: [
    {
      type: 'AnswerFinished',
      message_id: data_source_id,
      finish_reason: 'stop',
      model: 'small-1',
      usage: { input_tokens: 812, output_tokens: 95 },
      cited_content_ids: [ingestion_setting_id],
      cut: false,
      at,
    },
    {
      type: 'AnswerFinished',
      message_id: data_source_id,
      finish_reason: 'length',
      model: 'small-1',
      usage: null,
      cited_content_ids: [],
      cut: true,
      at,
    },
  ],
  AnswerFailed: [{ type: 'AnswerFailed', message_id: data_source_id, code: 'provider_timeout', at }],
  ConversationDeleted: [{ type: 'ConversationDeleted', at }],
  TagCreated: [
    { type: 'TagCreated', tag_id, name: 'Handbücher', description: 'what customers get', at },
    { type: 'TagCreated', tag_id, name: 'internal', description: '', at },
  ],
  TagChanged: [{ type: 'TagChanged', tag_id, name: 'manuals', description: '', at }],
  TagDeleted: [{ type: 'TagDeleted', tag_id, at }],
  TagBound: [{ type: 'TagBound', binding_id: job_id, tag_id, source_group_id: data_source_id, at }],
  TagUnbound: [{ type: 'TagUnbound', binding_id: job_id, tag_id, source_group_id: data_source_id, at }],
  AuthzPolicyCreated: [
    {
      type: 'AuthzPolicyCreated',
      policy_id: job_id,
      name: 'by_department',
      description: 'What a department may read',
      source_metadata: {
        logic: 'OR',
        filters: [
          { key: 'department', operator: 'eq', val: { subject: 'department' } },
          { key: 'level', operator: 'between', min: 0, max: { subject: 'level' } },
        ],
        groups: [{ filters: [{ key: 'public', operator: 'exists' }] }],
      },
      chunk_metadata: null,
      at,
    },
  ],
  AuthzPolicyChanged: [
    {
      type: 'AuthzPolicyChanged',
      name: 'default',
      description: '',
      source_metadata: null,
      chunk_metadata: { filters: [{ key: 'heading', operator: 'nin', val: ['Geheim – größer'] }] },
      at,
    },
  ],
  AuthzPolicyDeleted: [{ type: 'AuthzPolicyDeleted', name: 'by_department', at }],
  AuthzAttributesSet: [
    {
      type: 'AuthzAttributesSet',
      principal_id: 'jo@example.com',
      authz_policy: 'default',
      attributes: { department: ['sales', 'größer'], level: 3, chief: false, site: 'Graz' },
      at,
    },
  ],
  AuthzAttributesDeleted: [{ type: 'AuthzAttributesDeleted', principal_id: 'jo@example.com', at }],
  CompletionKeyClaimed: [
    { type: 'CompletionKeyClaimed', conversation_id: data_source_id, answer_id: job_id, at },
  ],
  IdempotencyKeyReleased: [{ type: 'IdempotencyKeyReleased', at }],
  IdempotencyKeyUsed: [{ type: 'IdempotencyKeyUsed', at }],
  IdempotencyKeyClaimed: [
    {
      type: 'IdempotencyKeyClaimed',
      operation: 'createCrawl',
      body_hash: sha('f'),
      ids: [data_source_id, ingestion_setting_id, job_id],
      at,
    },
  ],
};
