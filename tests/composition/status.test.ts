import { describe, expect, it } from 'vitest';
import type { Caller } from '../../application/access/caller.ts';
import { FIRST_TENANT } from '../../composition/bootstrap.ts';
import { readConfig } from '../../composition/config/config.ts';
import { createReadStatus, type StatusDeps } from '../../composition/status.ts';

const callerOf = (tenant: string, sourceGroupIds: readonly string[] | null = null): Caller => ({
  id: 'k',
  tenant,
  grant: { scopes: ['knowledge:read'], sourceGroupIds },
  context: { actor: { kind: 'api_key', id: 'k' } } as never,
});
const OPERATOR = callerOf(FIRST_TENANT);

type Env = { readonly [name: string]: string };
const statusOf = (change: Partial<StatusDeps['measurements']> = {}, env: Env = {}) => {
  const asked: (string | undefined)[] = [];
  const time = { now: 1_790_000_000_500 };
  const read = createReadStatus({
    config: readConfig(env, true),
    embedded: true,
    version: '7.8.9',
    holdings: async () => [
      {
        kind: 'crawl',
        groupCount: 2,
        sourceCount: 3,
        contentCount: 5,
        bytes: 4_096,
        neverSynced: 0,
        newestSyncAt: 1_789_000_002_000,
        oldestSyncAt: 1_789_000_001_000,
      },
    ],
    readiness: async () => ({ reasons: { files: 'down: refused', server: 'starting' }, details: {} }),
    measurements: {
      views: async () => [
        { view: 'catalog', halted: false, idleSeconds: 9 },
        { view: 'tag', halted: true, idleSeconds: 9 },
      ],
      lags: async () => [
        { view: 'catalog', seconds: 0 },
        { view: 'tag', seconds: 60 },
      ],
      queues: async (tenant) => {
        asked.push(tenant);
        return [{ kind: 'ingestion_job', seconds: 3 }];
      },
      deliveryAge: async () => 7,
      jobs: async () => [{ status: 'failure', count: 2, since: 1_789_000_000_999 }],
      databaseBytes: async () => 8_000_000,
      ...change,
    },
    now: () => time.now,
  });
  return { read, asked, time };
};

describe('the status of a service', () => {
  it('tells stores, views, work and storage, from the figures of the metrics', async () => {
    expect(await statusOf().read(OPERATOR)).toEqual({
      version: '7.8.9',
      time: 1_790_000_000,
      authz: false,
      knowledge: [
        {
          source_type: 'crawl',
          source_group_count: 2,
          source_count: 3,
          content_count: 5,
          stored_bytes: 4_096,
          never_synced: 0,
          newest_sync_time: 1_789_000_002,
          oldest_sync_time: 1_789_000_001,
        },
      ],
      stores: [
        { name: 'database', product: 'PostgreSQL of this program', up: true },
        { name: 'files', product: 'data directory', up: false, reason: 'down: refused' },
      ],
      views: [
        { name: 'catalog', halted: false, lag_seconds: 0 },
        { name: 'tag', halted: true, lag_seconds: 60 },
      ],
      queues: [
        { kind: 'ingestion_job', age_seconds: 3 },
        { kind: 'webhook_delivery', age_seconds: 7 },
      ],
      jobs: [{ status: 'failure', count: 2, since: 1_789_000_000 }],
      storage: { database_bytes: 8_000_000 },
      models: [],
    });
  });

  it('tells a tenant of its own work alone, and a restricted key of none', async () => {
    const { read, asked } = statusOf();
    const other = await read(callerOf('other'));
    expect([asked, other.queues?.length, other.storage]).toEqual([['other'], 2, undefined]);
    const { queues, jobs, storage } = await read(callerOf(FIRST_TENANT, ['g']));
    expect([asked.length, queues, jobs, storage]).toEqual([1, undefined, undefined, undefined]);
  });

  it('answers many who look at once from one reading, and reads again after two seconds', async () => {
    const { read, asked, time } = statusOf();
    await Promise.all([read(OPERATOR), read(OPERATOR)]);
    time.now += 1_999;
    await read(OPERATOR);
    expect(asked).toHaveLength(1);
    time.now += 1;
    await read(OPERATOR);
    expect(asked).toHaveLength(2);
  });

  it('reads again what has failed', async () => {
    const failing = [new Error('away')];
    const { read } = statusOf({
      jobs: async () => {
        const error = failing.pop();
        if (error !== undefined) throw error;
        return [];
      },
    });
    await expect(read(OPERATOR)).rejects.toThrow('away');
    expect((await read(OPERATOR)).jobs).toEqual([]);
  });

  it('leaves out lags where the event store does not answer', async () => {
    const { read } = statusOf({ lags: () => Promise.reject(new Error('away')) });
    expect((await read(OPERATOR)).views).toEqual([
      { name: 'catalog', halted: false },
      { name: 'tag', halted: true },
    ]);
  });

  it('tells providers and names of models, and neither keys nor addresses', async () => {
    const { models } = await statusOf(
      {},
      {
        LLM_URL: 'https://user.example.com/v1',
        LLM_MODEL: 'large',
        LLM_MODELS: 'small',
        LLM_API_KEY: 'sk-1',
        LLM_A_PROVIDER: 'anthropic',
        LLM_A_MODEL: 'claude',
        LLM_A_API_KEY: 'sk-2',
        EMBEDDINGS_MODEL: 'local:Xenova/e5',
        RERANK_URL: 'https://rerank.example.com',
        RERANK_API_KEY: 'sk-3',
      },
    ).read(OPERATOR);
    expect(models).toEqual([
      { use: 'answers', provider: 'openai', model: 'large' },
      { use: 'answers', provider: 'openai', model: 'small' },
      { use: 'agent_runs', provider: 'openai', model: 'large' },
      { use: 'agent_runs', provider: 'anthropic', model: 'claude', chosen_by: 'PROVIDER_A_DIRECT' },
      { use: 'embeddings', provider: 'local', model: 'Xenova/e5' },
      { use: 'reranker', provider: 'rerank' },
    ]);
  });
});
