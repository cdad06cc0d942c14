import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { gone } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import {
  type EmbeddingsServer,
  failing,
  openEmbeddingsServer,
} from '../support/embedding/embeddings-server.ts';
import { measured, unusedAddress } from '../support/health.ts';
import { openJourney } from '../support/journey.ts';
import { type Service, startService } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';
import { synced } from '../support/sync.ts';

const KEY = 'sk-of-the-embedding-provider';
const journey = openJourney();
let service: Service;
let site: Site;
let provider: EmbeddingsServer;
let metrics: URL;
let env: { readonly [name: string]: string };
beforeAll(async () => {
  [provider, metrics] = await Promise.all([openEmbeddingsServer(), unusedAddress()]);
  site = await journey.site({
    '/': page('Start', 'turbines and their valves', ['/b']),
    '/b': page('Bees', 'honey and wax'),
  });
  env = {
    KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
    KNOWLEDGER_LOG_LEVEL: 'warn',
    KNOWLEDGER_METRICS_PORT: metrics.port,
    EMBEDDINGS_URL: provider.url,
    EMBEDDINGS_MODEL: 'small',
    EMBEDDINGS_API_KEY: KEY,
  };
  service = await journey.service(env);
}, 120_000);
journey.closing(async () => provider?.close());

const search = async (asked: object) => {
  const { status, body } = await service.api('POST', '/search', asked);
  expect(status).toBe(200);
  return body;
};
/** Searches until it is done so: vectors follow the catalog within seconds. */
const searchedBy = (mode: string, query = 'turbine') =>
  eventually(
    () => search({ query }),
    (found) => found.mode === mode && found.total_candidates === 2,
  );
const stored = () =>
  inDatabase(service, async ({ pool }) => (await pool.query('SELECT FROM vectors.embedding')).rowCount);
const documents = () => provider.asked.flatMap(({ input }) => input).filter((text) => text.includes('\n'));

describe('a service with a provider of embeddings', { timeout: 180_000 }, () => {
  it('searches by words and vectors, embeds nothing twice, does without, and keeps nothing of what is deleted', async () => {
    const { id, sync } = await synced(service, site);
    const { mode, results } = await eventually(
      () => search({ query: 'turbine' }),
      ({ embedded_share: share, total_candidates: found }) => share === 1 && found === 2,
    );
    expect(mode).toBe('hybrid');
    expect(results[0].content.text).toContain('turbines');
    expect(results[0].ranks).toEqual({ keyword: 1, vector: 1 });
    expect(results[1].ranks).toEqual({ vector: 2 });
    expect((await search({ query: 'honey', mode: 'vector' })).mode).toBe('vector');
    expect((await search({ query: 'honey', mode: 'keyword' })).mode).toBe('keyword');
    expect(await measured(metrics)).toMatch(/^knowledger_contents_without_vector(?:\{[^}]*\})? 0$/m);
    expect(documents()).toHaveLength(2);
    expect(new Set(provider.asked.map(({ key }) => key))).toEqual(new Set([`Bearer ${KEY}`]));

    await sync('full');
    site.pages.set('/b', page('Bees', 'honey, wax and propolis'));
    await sync();
    await eventually(
      async () => documents().length,
      (length) => length === 3,
    );

    provider.broken = failing(500);
    const down = await search({ query: 'never asked before' });
    expect(down.mode).toBe('keyword');
    expect((await search({ query: 'turbines', mode: 'vector' })).results).toHaveLength(1);
    expect((await fetch(`${service.base}/readyz`)).status).toBe(200);

    await service.delete('/crawls/{id}', { path: { id } });
    await gone(service, id);
    expect(await stored()).toBe(0);
    expect(documents()).toHaveLength(3);
    expect(service.output()).not.toContain(KEY);
  });

  it('embeds everything again when the model changes, and the one before answers until then', async () => {
    provider.broken = null;
    provider.asked.length = 0;
    await synced(service, site);
    await searchedBy('hybrid');
    const before = documents().length;
    await service.end('SIGTERM');
    provider.broken = (request, response) => failing(500)(request, response);
    service = await startService({ ...env, EMBEDDINGS_MODEL: 'other' }, service);
    provider.broken = null;
    await searchedBy('hybrid');
    await eventually(
      () => search({ query: 'turbine' }),
      ({ mode }) => {
        const { model } = provider.asked.findLast(({ input }) => input.includes('turbine'))!;
        return model === 'other' && mode === 'hybrid';
      },
    );
    const again = provider.asked.filter(({ model, input }) => model === 'other' && input[0]!.includes('\n'));
    expect(again.flatMap(({ input }) => input)).toHaveLength(before);
  });
});
