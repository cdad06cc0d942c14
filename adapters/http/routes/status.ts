import Type from 'typebox';
import type { Static } from 'typebox';
import type { Caller } from '../../../application/access/caller.ts';
import { JOB_STATUSES } from '../../../domain/data-source/index.ts';
import { ok } from '../json-response.ts';
import { type AnyRoute, route } from '../route.ts';
import { UnixSeconds } from '../schemas/common.ts';
import { SourceType } from '../schemas/source.ts';

/** What the service knows of itself, and of the work of the caller's tenant. */
export type ReadStatus = (caller: Caller) => Promise<ServiceStatus>;

export const statusRoutes = (readStatus: ReadStatus): readonly AnyRoute[] => [
  route({
    tag: 'service',
    scope: 'knowledge:read',
    method: 'get',
    path: '/status',
    operationId: 'getStatus',
    summary: 'See how the service does',
    description:
      'What the knowledge base holds and how fresh it is, as far as the key and the default policy allow; stores, views, waiting work, storage and models, as of a few seconds ago. Work is that of the ' +
      'tenant alone, and absent, as the size of the database is, for a key that is restricted to source groups. Answers as long as the database does: ' +
      'without it every operation is 503, and `/readyz` says why.',
    answers: { 200: ServiceStatus },
    handler: async ({ caller }) => ok(await readStatus(caller)),
  }),
];

const Seconds = (description: string) => Type.Number({ minimum: 0, description });
const Bytes = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const StoreStatus = Type.Object({
  name: Type.Enum(['database', 'event store', 'files', 'search engine']),
  product: Type.String({ description: 'What the store is, such as `PostgreSQL`' }),
  up: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why it cannot be used' })),
});
const ViewStatus = Type.Object({
  name: Type.String(),
  halted: Type.Boolean({
    description: 'Whether it has met an event that it cannot apply; `/readyz` says why',
  }),
  lag_seconds: Type.Optional(
    Seconds('Age of the oldest event that it has not read; 0: it has read all. Absent: not known'),
  ),
});
const QueueStatus = Type.Object({
  kind: Type.String({
    description: '`ingestion_job`, `ingestion_purge` (deletions), `agent_run` or `webhook_delivery`',
  }),
  age_seconds: Seconds(
    'How long the oldest work has waited that could be done; of `webhook_delivery` also what waits for its next attempt; 0: none waits',
  ),
});
const JobsStatus = Type.Object({
  status: Type.Enum([...JOB_STATUSES]),
  count: Type.Integer({ minimum: 0, description: 'Data sources' }),
  since: Type.Integer({
    description: 'When the first of them came into this status; Unix timestamp in seconds',
  }),
});
const StorageStatus = Type.Object({
  database_bytes: Bytes(
    'The whole database, of all tenants; only for the tenant of the first start, whose keys are the operator’s',
  ),
});
const ModelStatus = Type.Object({
  use: Type.Enum(['answers', 'agent_runs', 'embeddings', 'reranker', 'transcription', 'web_search']),
  provider: Type.String({
    description:
      '`local` (on this machine), `openai` (any server with this API), `anthropic`, `google`, `bedrock`, `agentcore`, `searxng` or `rerank`',
  }),
  model: Type.Optional(Type.String({ description: 'Absent: the server has one' })),
  chosen_by: Type.Optional(
    Type.String({ description: 'Of agent runs: the `provider` that a run names for it' }),
  ),
});

const KnowledgeStatus = Type.Object({
  source_type: SourceType,
  source_group_count: Type.Integer({ minimum: 0 }),
  source_count: Type.Integer({ minimum: 0 }),
  content_count: Type.Integer({ minimum: 0 }),
  stored_bytes: Bytes(
    'Of the stored file of each source; equal files of a source group are kept once. Absent under a policy',
  ),
  never_synced: Type.Integer({ minimum: 0, description: 'Source groups of which no job has succeeded yet' }),
  newest_sync_time: Type.Optional(
    Type.Integer({ description: '`sync_time` of the freshest source group; Unix timestamp in seconds' }),
  ),
  oldest_sync_time: Type.Optional(
    Type.Integer({ description: '`sync_time` of the stalest source group; Unix timestamp in seconds' }),
  ),
});

export const ServiceStatus = Type.Object({
  version: Type.String(),
  time: UnixSeconds,
  authz: Type.Boolean({ description: 'Whether access policies decide on reads; false: all may read all' }),
  knowledge: Type.Optional(
    Type.Array(KnowledgeStatus, { description: 'Absent where there is no default policy' }),
  ),
  stores: Type.Array(StoreStatus),
  views: Type.Optional(Type.Array(ViewStatus)),
  queues: Type.Optional(Type.Array(QueueStatus)),
  jobs: Type.Optional(Type.Array(JobsStatus)),
  storage: Type.Optional(StorageStatus),
  models: Type.Array(ModelStatus, { description: 'What is set up; a use that is not here has none' }),
});
export type ServiceStatus = Static<typeof ServiceStatus>;
