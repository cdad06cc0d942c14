import fc from 'fast-check';
import type { DomainEvent } from '../../application/domain-event.ts';
import { SCOPES } from '../../domain/api-key/index.ts';
import type { DataSourceSubject, JobCounts, JobError } from '../../domain/data-source/index.ts';
import type { CrawlParameters, Schedule } from '../../domain/ingestion-setting/index.ts';
import type { MetadataRecord, SourceIndexed } from '../../domain/source/index.ts';

type Generators = { readonly [T in DomainEvent['type']]: fc.Arbitrary<Extract<DomainEvent, { type: T }>> };

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const texts = fc.array(text, { maxLength: 4 });
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const count = fc.nat(1_000_000);
const id = fc.uuid();
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

const counts: fc.Arbitrary<JobCounts> = fc.record({
  seen: count,
  indexed: count,
  unchanged: count,
  skipped: count,
  failed: count,
  bytes: fc.maxSafeNat(),
});
const error: fc.Arbitrary<JobError> = fc.record({ title: text, message: text });
const subject: fc.Arbitrary<DataSourceSubject> = fc.oneof(
  fc.record({ kind: is('crawl'), start_url: fc.webUrl() }),
  fc.record({
    kind: is('repo'),
    repository: text,
    reference_type: fc.constantFrom('default', 'branch', 'tag', 'commit'),
    reference_param: text,
    path_filters: texts,
  }),
  fc.record({ kind: is('cloud_drive'), folder_url: fc.webUrl() }),
  fc.record({ kind: is('wiki'), page_id: text }),
  fc.record({ kind: is('local_file_group') }),
);
const job = { job_id: id, at: time };
const file = { sha256: hash, bytes: count };
const visit = {
  data_source_id: id,
  source_type: fc.constantFrom<SourceIndexed['source_type']>(
    'crawl',
    'local_file',
    'cloud_drive',
    'repo',
    'wiki',
  ),
  locator: text,
  job_id: id,
  generation: count,
  at: time,
};
const record: fc.Arbitrary<MetadataRecord> = fc.record({
  key: text,
  val: text,
  type: fc.constantFrom<MetadataRecord['type']>('string', 'integer', 'float', 'date', 'datetime'),
});
const schedule: fc.Arbitrary<Schedule> = fc.record({ rrule: text, start: time });
const parameters: fc.Arbitrary<CrawlParameters> = fc.record({
  kind: is('crawl'),
  start_url: fc.webUrl(),
  max_depth: count,
  max_num_files: count,
  path_filters: texts,
  content_pattern: texts,
  html_only: fc.boolean(),
  use_browser: fc.boolean(),
  no_canonical_check: fc.boolean(),
  file_extensions: texts,
});

const redaction = {
  name: text,
  rules: fc.array(
    fc.oneof(
      fc.record({ name: text, kind: fc.constant('pattern' as const), pattern: text, replacement: text }),
      fc.record({ name: text, kind: fc.constantFrom('email' as const, 'key' as const) }),
    ),
  ),
  applies_to: fc.subarray(['ingestion', 'content', 'completion', 'agent'] as const),
};
const binding = { binding_id: id, tag_id: id, source_group_id: id };

/** A generator for every event type: without one, a new event does not compile here. */
const policyFilter = fc.record({
  logic: fc.constantFrom('AND' as const, 'OR' as const),
  filters: fc.array(
    fc.record({ key: text, operator: text, val: fc.oneof(text, fc.record({ subject: text })) }),
    {
      maxLength: 2,
    },
  ),
});
const policyRules = {
  description: text,
  source_metadata: orNull(policyFilter),
  chunk_metadata: orNull(policyFilter),
};

export const EVENTS: Generators = {
  DataSourceRegistered: fc.record({
    type: is('DataSourceRegistered'),
    subject,
    ingestion_setting_id: id,
    metadata: fc.array(fc.record({ key: text, val: text }), { maxLength: 3 }),
    ...job,
  }),
  JobQueued: fc.record(
    {
      type: is('JobQueued'),
      attempt: is(1),
      trigger: fc.constantFrom('create', 'sync', 'schedule'),
      mode: fc.constantFrom('incremental', 'full'),
      generation: count,
      due_at: time,
      ...job,
    },
    { requiredKeys: ['type', 'attempt', 'trigger', 'mode', 'generation', 'job_id', 'at'] },
  ),
  JobClaimed: fc.record({ type: is('JobClaimed'), worker_id: text, epoch: count, ...job }),
  JobHandedOff: fc.record({
    type: is('JobHandedOff'),
    executor: text,
    external_id: text,
    epoch: count,
    ...job,
  }),
  JobStarted: fc.record({ type: is('JobStarted'), attempt: count, ...job }),
  JobProgressed: fc.record({ type: is('JobProgressed'), counts, ...job }),
  JobSucceeded: fc.record({
    type: is('JobSucceeded'),
    counts,
    generation: count,
    after_cancel_request: fc.boolean(),
    ...job,
  }),
  JobFailed: fc.record(
    { type: is('JobFailed'), error, code: text, counts, ...job },
    { requiredKeys: ['type', 'error', 'code', 'job_id', 'at'] },
  ),
  JobRequeued: fc.record({ type: is('JobRequeued'), reason: text, attempt: count, not_before: time, ...job }),
  JobCancelRequested: fc.record({ type: is('JobCancelRequested'), ...job }),
  JobCanceled: fc.record(
    {
      type: is('JobCanceled'),
      by: fc.constantFrom('caller', 'worker', 'timeout', 'worker_lost'),
      counts,
      error,
      ...job,
    },
    { requiredKeys: ['type', 'by', 'job_id', 'at'] },
  ),
  DataSourceDeletionRequested: fc.record({
    type: is('DataSourceDeletionRequested'),
    interrupted_job_id: orNull(id),
    at: time,
  }),
  DataSourceDeleted: fc.record({
    type: is('DataSourceDeleted'),
    contents: count,
    sources: count,
    bytes: fc.maxSafeNat(),
    at: time,
  }),
  DataSourceDeletionFailed: fc.record({ type: is('DataSourceDeletionFailed'), error, at: time }),
  JobStatusLost: fc.record({ type: is('JobStatusLost'), ...job }),
  JobStatusReconciled: fc.record(
    {
      type: is('JobStatusReconciled'),
      status: fc.constantFrom('managed', 'success', 'failure', 'canceled'),
      error,
      ...job,
    },
    { requiredKeys: ['type', 'status', 'job_id', 'at'] },
  ),
  ScheduleTickSkipped: fc.record({ type: is('ScheduleTickSkipped'), due_at: time, at: time }),
  IngestionSettingCreated: fc.record({
    type: is('IngestionSettingCreated'),
    data_source_id: id,
    name: text,
    parameters,
    schedule: orNull(schedule),
    at: time,
  }),
  IngestionSettingRenamed: fc.record({ type: is('IngestionSettingRenamed'), name: text, at: time }),
  IngestionParametersChanged: fc.record({
    type: is('IngestionParametersChanged'),
    parameters,
    at: time,
  }),
  ScheduleSet: fc.record({ type: is('ScheduleSet'), schedule, at: time }),
  ScheduleRemoved: fc.record({ type: is('ScheduleRemoved'), at: time }),
  SourceIndexed: fc.record({
    type: is('SourceIndexed'),
    ...visit,
    url: fc.webUrl(),
    title: text,
    file_type: text,
    media_type: text,
    raw: fc.record(file),
    chunk_set: fc.record({ ...file, chunks: count }),
  }),
  SourceSkipped: fc.record({ type: is('SourceSkipped'), ...visit, reason: text }),
  SourceFailed: fc.record({ type: is('SourceFailed'), ...visit, code: text, message: text }),
  SourceRemoved: fc.record({
    type: is('SourceRemoved'),
    data_source_id: id,
    reason: fc.constantFrom('not_seen', 'gone', 'data_source_deleted', 'requested'),
    job_id: id,
    generation: count,
    at: time,
  }),
  SourceMetadataReplaced: fc.record({
    type: is('SourceMetadataReplaced'),
    records: fc.array(record, { maxLength: 4 }),
    at: time,
  }),
  SourceMetadataDeleted: fc.record({ type: is('SourceMetadataDeleted'), at: time }),
  RedactionPolicyCreated: fc.record({ type: is('RedactionPolicyCreated'), ...redaction, at: time }),
  RedactionPolicyChanged: fc.record({ type: is('RedactionPolicyChanged'), ...redaction, at: time }),
  RedactionPolicyDeleted: fc.record({ type: is('RedactionPolicyDeleted'), at: time }),
  ApiKeyIssued: fc.record({
    type: is('ApiKeyIssued'),
    key_id: id,
    name: text,
    key_hash: hash,
    scopes: fc.subarray([...SCOPES]),
    source_group_ids: orNull(fc.array(id, { maxLength: 3 })),
    expires_at: orNull(time),
    requests_per_minute: orNull(count),
    at: time,
  }),
  ApiKeyRotated: fc.record({ type: is('ApiKeyRotated'), key_id: id, key_hash: hash, at: time }),
  ApiKeyRevoked: fc.record({ type: is('ApiKeyRevoked'), key_id: id, at: time }),
  ConversationStarted: fc.record({ type: is('ConversationStarted'), principal_id: orNull(text), at: time }),
  UserMessageAdded: fc.record({
    type: is('UserMessageAdded'),
    message_id: id,
    parent_id: orNull(id),
    at: time,
  }),
  AnswerBegun: fc.record({
    type: is('AnswerBegun'),
    message_id: id,
    parent_id: id,
    source_group_ids: orNull(fc.array(id, { maxLength: 3 })),
    at: time,
  }),
  AnswerFinished: fc.record({
    type: is('AnswerFinished'),
    message_id: id,
    finish_reason: text,
    model: text,
    usage: orNull(fc.record({ input_tokens: count, output_tokens: count })),
    cited_content_ids: fc.array(id, { maxLength: 4 }),
    cut: fc.boolean(),
    at: time,
  }),
  AnswerFailed: fc.record({ type: is('AnswerFailed'), message_id: id, code: text, at: time }),
  ConversationDeleted: fc.record({ type: is('ConversationDeleted'), at: time }),
  TagCreated: fc.record({ type: is('TagCreated'), tag_id: id, name: text, description: text, at: time }),
  TagChanged: fc.record({ type: is('TagChanged'), tag_id: id, name: text, description: text, at: time }),
  TagDeleted: fc.record({ type: is('TagDeleted'), tag_id: id, at: time }),
  TagBound: fc.record({ type: is('TagBound'), ...binding, at: time }),
  TagUnbound: fc.record({ type: is('TagUnbound'), ...binding, at: time }),
  AuthzPolicyCreated: fc.record({
    type: is('AuthzPolicyCreated'),
    policy_id: id,
    name: text,
    ...policyRules,
    at: time,
  }),
  AuthzPolicyChanged: fc.record({ type: is('AuthzPolicyChanged'), name: text, ...policyRules, at: time }),
  AuthzPolicyDeleted: fc.record({ type: is('AuthzPolicyDeleted'), name: text, at: time }),
  AuthzAttributesSet: fc.record({
    type: is('AuthzAttributesSet'),
    principal_id: text,
    authz_policy: text,
    attributes: fc.dictionary(text, fc.oneof(text, count, fc.boolean(), fc.array(text, { maxLength: 3 })), {
      noNullPrototype: true,
    }),
    at: time,
  }),
  AuthzAttributesDeleted: fc.record({ type: is('AuthzAttributesDeleted'), principal_id: text, at: time }),
  CompletionKeyClaimed: fc.record({
    type: is('CompletionKeyClaimed'),
    conversation_id: id,
    answer_id: id,
    at: time,
  }),
  IdempotencyKeyReleased: fc.record({ type: is('IdempotencyKeyReleased'), at: time }),
  IdempotencyKeyUsed: fc.record({ type: is('IdempotencyKeyUsed'), at: time }),
  IdempotencyKeyClaimed: fc.record({
    type: is('IdempotencyKeyClaimed'),
    operation: text,
    body_hash: hash,
    ids: fc.array(id, { maxLength: 4 }),
    at: time,
  }),
};
