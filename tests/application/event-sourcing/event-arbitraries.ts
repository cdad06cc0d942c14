import fc from 'fast-check';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import type { DataSourceSubject, JobCounts, JobError } from '../../../domain/data-source/index.ts';
import { REFERENCE_TYPES, type Parameters, type Schedule } from '../../../domain/ingestion-setting/index.ts';
import { SECRET_TYPES } from '../../../domain/secret/decider.ts';
import { SOURCE_TYPES, type MetadataRecord } from '../../../domain/source/events.ts';

import type { MetadataKey } from '../../../domain/source/metadata-key.ts';

import { AGENT_EVENTS } from '../agents/runs/event-arbitraries.ts';

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
const metadataKey: fc.Arbitrary<MetadataKey> = fc.record({
  key: text,
  type: fc.constantFrom<MetadataKey['type']>('string', 'integer', 'float', 'date', 'datetime'),
});
/** A generator of every field of every kind, those that may be absent too: one that is missing does not compile. */
type FieldsByKind<Kinds extends { readonly kind: string }> = {
  readonly [Kind in Kinds['kind']]: {
    readonly [Field in Exclude<keyof Extract<Kinds, { readonly kind: Kind }>, 'kind'>]-?: fc.Arbitrary<
      Exclude<Extract<Kinds, { readonly kind: Kind }>[Field], undefined>
    >;
  };
};
/** @param optional names of fields that may be absent */
const ofKinds = <Kinds extends { readonly kind: string }>(
  fields: FieldsByKind<Kinds>,
  optional: readonly string[] = [],
): fc.Arbitrary<Kinds> =>
  fc.oneof(
    ...Object.entries<{ readonly [name: string]: fc.Arbitrary<unknown> }>(fields).map(
      ([kind, generators]) => {
        const model: { readonly [name: string]: fc.Arbitrary<unknown> } = { kind: is(kind), ...generators };
        return fc.record(model, {
          requiredKeys: Object.keys(model).filter((name) => !optional.includes(name)),
        });
      },
    ),
  ) as unknown as fc.Arbitrary<Kinds>;

const chunkMetadataKeys = fc.array(metadataKey, { maxLength: 3 });
export const subject = ofKinds<DataSourceSubject>(
  {
    crawl: { startUrl: fc.webUrl() },
    repo: {
      repository: text,
      referenceType: fc.constantFrom(...REFERENCE_TYPES),
      referenceParam: text,
      pathFilters: texts,
    },
    cloud_drive: { folderUrl: fc.webUrl() },
    wiki: { pageId: text },
    local_file_group: { chunkMetadataKeys },
    push: {},
  },
  ['chunkMetadataKeys'],
);
const job = { jobId: id, at: time };
const file = { sha256: hash, bytes: count };
const visit = {
  dataSourceId: id,
  sourceType: fc.constantFrom(...SOURCE_TYPES),
  locator: text,
  jobId: id,
  generation: count,
  at: time,
};
const record: fc.Arbitrary<MetadataRecord> = fc.record({
  key: text,
  val: text,
  type: fc.constantFrom<MetadataRecord['type']>('string', 'integer', 'float', 'date', 'datetime'),
});
const schedule: fc.Arbitrary<Schedule> = fc.record({ rrule: text, start: time });
export const parameters = ofKinds<Parameters>({
  crawl: {
    startUrl: fc.webUrl(),
    maxDepth: count,
    maxNumFiles: count,
    pathFilters: texts,
    contentPattern: texts,
    htmlOnly: fc.boolean(),
    useBrowser: fc.boolean(),
    noCanonicalCheck: fc.boolean(),
    fileExtensions: texts,
  },
  repo: {
    repository: text,
    referenceType: fc.constantFrom(...REFERENCE_TYPES),
    referenceParam: text,
    pathFilters: texts,
    secretId: orNull(id),
  },
  cloud_drive: { folderUrl: fc.webUrl(), secretId: orNull(id) },
  wiki: { pageId: text, includeChildren: fc.boolean(), secretId: orNull(id) },
  local_file_group: { chunkMetadataKeys },
  push: {},
});

const redaction = {
  name: text,
  rules: fc.array(
    fc.oneof(
      fc.record({ name: text, kind: fc.constant('pattern' as const), pattern: text, replacement: text }),
      fc.record({ name: text, kind: fc.constantFrom('email' as const, 'key' as const) }),
    ),
  ),
  appliesTo: fc.subarray(['ingestion', 'content', 'completion', 'agent'] as const),
};
const binding = { bindingId: id, tagId: id, sourceGroupId: id };

const filters = {
  logic: fc.constantFrom('AND' as const, 'OR' as const),
  filters: fc.array(
    fc.record({ key: text, operator: text, val: fc.oneof(text, fc.record({ subject: text })) }),
    { maxLength: 2 },
  ),
};
const policyFilter = fc.record(
  { ...filters, groups: fc.array(fc.record(filters), { maxLength: 2 }) },
  { requiredKeys: ['logic', 'filters'] },
);
const policyRules = {
  description: text,
  sourceMetadata: orNull(policyFilter),
  chunkMetadata: orNull(policyFilter),
};

/** A generator for every event type: without one, a new event does not compile here. */
export const EVENTS: Generators = {
  ...AGENT_EVENTS,
  DataSourceRegistered: fc.record({
    type: is('DataSourceRegistered'),
    subject,
    ingestionSettingId: id,
    metadata: fc.array(fc.record({ key: text, val: text }), { maxLength: 3 }),
    ...job,
  }),
  JobQueued: fc.record(
    {
      type: is('JobQueued'),
      attempt: is(1),
      trigger: fc.constantFrom('create', 'sync', 'schedule', 'upload', 'push'),
      mode: fc.constantFrom('incremental', 'full'),
      generation: count,
      dueAt: time,
      ...job,
    },
    { requiredKeys: ['type', 'attempt', 'trigger', 'mode', 'generation', 'jobId', 'at'] },
  ),
  JobClaimed: fc.record({ type: is('JobClaimed'), workerId: text, epoch: count, ...job }),
  JobHandedOff: fc.record({
    type: is('JobHandedOff'),
    executor: text,
    externalId: text,
    epoch: count,
    ...job,
  }),
  JobStarted: fc.record({ type: is('JobStarted'), attempt: count, ...job }),
  JobProgressed: fc.record({ type: is('JobProgressed'), counts, ...job }),
  JobSucceeded: fc.record(
    {
      type: is('JobSucceeded'),
      counts,
      generation: count,
      afterCancelRequest: fc.boolean(),
      error,
      ...job,
    },
    { requiredKeys: ['type', 'counts', 'generation', 'afterCancelRequest', 'jobId', 'at'] },
  ),
  JobFailed: fc.record(
    { type: is('JobFailed'), error, code: text, counts, ...job },
    { requiredKeys: ['type', 'error', 'code', 'jobId', 'at'] },
  ),
  JobRequeued: fc.record(
    { type: is('JobRequeued'), reason: text, attempt: count, notBefore: time, error, ...job },
    { requiredKeys: ['type', 'reason', 'attempt', 'notBefore', 'jobId', 'at'] },
  ),
  JobCancelRequested: fc.record({ type: is('JobCancelRequested'), ...job }),
  JobCanceled: fc.record(
    {
      type: is('JobCanceled'),
      by: fc.constantFrom('caller', 'worker', 'timeout', 'worker_lost'),
      counts,
      error,
      ...job,
    },
    { requiredKeys: ['type', 'by', 'jobId', 'at'] },
  ),
  DataSourceDeletionRequested: fc.record({
    type: is('DataSourceDeletionRequested'),
    interruptedJobId: orNull(id),
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
      counts,
      ...job,
    },
    { requiredKeys: ['type', 'status', 'jobId', 'at'] },
  ),
  FilesUploaded: fc.record(
    {
      type: is('FilesUploaded'),
      ...job,
      list: fc.record(file),
      added: count,
      replaced: count,
      bytes: fc.maxSafeNat(),
      chunkMetadataKeys: fc.array(metadataKey, { maxLength: 3 }),
    },
    { requiredKeys: ['type', 'jobId', 'at', 'list', 'added', 'replaced', 'bytes'] },
  ),
  ScheduleTickSkipped: fc.record({ type: is('ScheduleTickSkipped'), dueAt: time, at: time }),
  IngestionSettingCreated: fc.record({
    type: is('IngestionSettingCreated'),
    dataSourceId: id,
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
  SourceIndexed: fc
    .tuple(
      fc.record({
        type: is('SourceIndexed'),
        ...visit,
        url: fc.webUrl(),
        title: text,
        fileType: text,
        mediaType: text,
        raw: fc.record(file),
        chunkSet: fc.record({ ...file, chunks: count }),
      }),
      fc.record({ language: text }, { requiredKeys: [] }),
    )
    .map(([event, said]) => ({ ...event, ...said })),
  SourceSkipped: fc.record(
    { type: is('SourceSkipped'), ...visit, url: text, title: text, reason: text },
    { requiredKeys: ['type', ...(Object.keys(visit) as (keyof typeof visit)[]), 'reason'] },
  ),
  SourceFailed: fc.record(
    { type: is('SourceFailed'), ...visit, url: text, title: text, code: text, message: text },
    { requiredKeys: ['type', ...(Object.keys(visit) as (keyof typeof visit)[]), 'code', 'message'] },
  ),
  SourceRemoved: fc.record({
    type: is('SourceRemoved'),
    dataSourceId: id,
    reason: fc.constantFrom('not_seen', 'gone', 'data_source_deleted', 'requested'),
    jobId: id,
    generation: count,
    at: time,
  }),
  SourceMetadataReplaced: fc.record(
    {
      type: is('SourceMetadataReplaced'),
      records: fc.array(record, { maxLength: 4 }),
      provided: fc.array(record, { maxLength: 4 }),
      at: time,
    },
    { requiredKeys: ['type', 'records', 'at'] },
  ),
  SourceMetadataDeleted: fc.record({ type: is('SourceMetadataDeleted'), at: time }),
  RedactionPolicyCreated: fc.record({ type: is('RedactionPolicyCreated'), ...redaction, at: time }),
  RedactionPolicyChanged: fc.record({ type: is('RedactionPolicyChanged'), ...redaction, at: time }),
  RedactionPolicyDeleted: fc.record({ type: is('RedactionPolicyDeleted'), at: time }),
  ApiKeyIssued: fc.record({
    type: is('ApiKeyIssued'),
    keyId: id,
    name: text,
    keyHash: hash,
    scopes: fc.subarray([...SCOPES]),
    sourceGroupIds: orNull(fc.array(id, { maxLength: 3 })),
    expiresAt: orNull(time),
    requestsPerMinute: orNull(count),
    at: time,
  }),
  ApiKeyRotated: fc.record({ type: is('ApiKeyRotated'), keyId: id, keyHash: hash, at: time }),
  ApiKeyRevoked: fc.record({ type: is('ApiKeyRevoked'), keyId: id, at: time }),
  ConversationStarted: fc.record({ type: is('ConversationStarted'), principalId: orNull(text), at: time }),
  UserMessageAdded: fc.record({
    type: is('UserMessageAdded'),
    messageId: id,
    parentId: orNull(id),
    at: time,
  }),
  AnswerBegun: fc.record({
    type: is('AnswerBegun'),
    messageId: id,
    parentId: id,
    sourceGroupIds: orNull(fc.array(id, { maxLength: 3 })),
    at: time,
  }),
  AnswerFinished: fc.record({
    type: is('AnswerFinished'),
    messageId: id,
    finishReason: text,
    model: text,
    usage: orNull(fc.record({ inputTokens: count, outputTokens: count })),
    citedContentIds: fc.array(id, { maxLength: 4 }),
    cut: fc.boolean(),
    at: time,
  }),
  AnswerFailed: fc.record({ type: is('AnswerFailed'), messageId: id, code: text, at: time }),
  ConversationDeleted: fc.record({ type: is('ConversationDeleted'), at: time }),
  TagCreated: fc.record({ type: is('TagCreated'), tagId: id, name: text, description: text, at: time }),
  TagChanged: fc.record({ type: is('TagChanged'), tagId: id, name: text, description: text, at: time }),
  TagDeleted: fc.record({ type: is('TagDeleted'), tagId: id, at: time }),
  TagBound: fc.record({ type: is('TagBound'), ...binding, at: time }),
  TagUnbound: fc.record({ type: is('TagUnbound'), ...binding, at: time }),
  AuthzPolicyCreated: fc.record({
    type: is('AuthzPolicyCreated'),
    policyId: id,
    name: text,
    ...policyRules,
    at: time,
  }),
  AuthzPolicyChanged: fc.record({ type: is('AuthzPolicyChanged'), name: text, ...policyRules, at: time }),
  AuthzPolicyDeleted: fc.record({ type: is('AuthzPolicyDeleted'), name: text, at: time }),
  AuthzAttributesSet: fc.record({
    type: is('AuthzAttributesSet'),
    principalId: text,
    authzPolicy: text,
    attributes: fc.dictionary(text, fc.oneof(text, count, fc.boolean(), fc.array(text, { maxLength: 3 })), {
      noNullPrototype: true,
    }),
    at: time,
  }),
  AuthzAttributesDeleted: fc.record({ type: is('AuthzAttributesDeleted'), principalId: text, at: time }),
  SecretCreated: fc.record({
    type: is('SecretCreated'),
    name: text,
    secretType: fc.constantFrom(...SECRET_TYPES),
    valueId: id,
    expiresAt: orNull(time),
    at: time,
  }),
  SecretChanged: fc.record({ type: is('SecretChanged'), name: text, expiresAt: orNull(time), at: time }),
  SecretValueReplaced: fc.record({ type: is('SecretValueReplaced'), valueId: id, at: time }),
  SecretRenewed: fc.record({ type: is('SecretRenewed'), valueId: id, at: time }),
  SecretAttached: fc.record({ type: is('SecretAttached'), dataSourceId: id, at: time }),
  SecretDetached: fc.record({ type: is('SecretDetached'), dataSourceId: id, at: time }),
  SecretDeleted: fc.record({ type: is('SecretDeleted'), at: time }),
  CompletionKeyClaimed: fc.record({
    type: is('CompletionKeyClaimed'),
    conversationId: id,
    answerId: id,
    at: time,
  }),
  IdempotencyKeyReleased: fc.record({ type: is('IdempotencyKeyReleased'), at: time }),
  IdempotencyKeyUsed: fc.record({ type: is('IdempotencyKeyUsed'), at: time }),
  IdempotencyKeyClaimed: fc.record({
    type: is('IdempotencyKeyClaimed'),
    operation: text,
    bodyHash: hash,
    ids: fc.array(id, { maxLength: 4 }),
    at: time,
  }),
};
