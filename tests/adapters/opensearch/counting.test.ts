import { expect, it } from 'vitest';
import type { OpenSearch } from '../../../adapters/opensearch/connection.ts';
import { createOpenSearchEngine } from '../../../adapters/opensearch/search-engine.ts';

/** A cluster to which contents are added between two counts: of one, three have the word. */
const asked: unknown[] = [];
const growing = {
  ask: async ({ body }: { readonly body: object }) => {
    asked.push(body);
    const hits = { total: { value: 3 }, hits: [] };
    const aggregations = { of: { buckets: [{ key: 'en', doc_count: 1 }] } };
    return { status: 200, body: { timed_out: false, _shards: { failed: 0 }, hits, aggregations } };
  },
} as unknown as OpenSearch;

it('weighs no word below nothing while contents are added, which OpenSearch would refuse', async () => {
  const readScope = async () => ({ index: 'v1', position: '1', hiddenDataSources: [], hiddenSources: [] });
  const { words } = createOpenSearchEngine(growing, { prefix: 'p', readScope, contentsById: async () => [] });
  const scope = { tenant: 't', only: null, access: null };
  await words.rank(scope, { query: 'falcon', filter: {}, limit: 10 });
  const boosts = [...JSON.stringify(asked).matchAll(/"boost":([^,}]+)/g)].map(([, boost]) => Number(boost));
  expect(boosts.length).toBeGreaterThan(0);
  expect(boosts.filter((boost) => !(boost >= 0))).toEqual([]);
});
