import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { inDatabase } from '../support/database.ts';
import { type EmbeddingsServer, openEmbeddingsServer } from '../support/embedding/embeddings-server.ts';
import { openJourney } from '../support/journey.ts';
import { openSearchHere } from '../support/opensearch/opensearch.ts';
import { openPush } from '../support/pushes.ts';
import { type Service, startService } from '../support/service.ts';

const cluster = await openSearchHere();
const prefix = `journey-${randomUUID()}`;
const journey = openJourney();

describe.skipIf(cluster === null)('a service that searches in OpenSearch', { timeout: 240_000 }, () => {
  let env: Record<string, string>;
  let provider: EmbeddingsServer;
  let service: Service;
  beforeAll(async () => {
    provider = await openEmbeddingsServer();
    env = {
      KNOWLEDGER_LOG_LEVEL: 'warn',
      OPENSEARCH_URL: cluster!,
      OPENSEARCH_PREFIX: prefix,
      OPENSEARCH_REPLICAS: '0',
      EMBEDDINGS_URL: provider.url,
      EMBEDDINGS_MODEL: 'small',
    };
    service = await journey.service(env);
  }, 120_000);
  afterAll(async () => {
    await provider?.close();
    if (cluster !== null) await fetch(`${cluster}/${prefix}-*`, { method: 'DELETE' });
  });

  /** Finds what was written up to here. */
  let seen: Record<string, string> = {};
  const written = ({ status, headers }: Answer): void => {
    expect(status).toBeLessThan(300);
    const position = headers.get('x-position');
    if (position !== null) seen = { 'x-min-position': position };
  };
  const search = async (query: string, rest: object = {}) => {
    const { status, body } = await eventually(
      () => service.api('POST', '/search', { query, ...rest }, seen),
      (answer) => answer.status !== 503,
    );
    expect(status).toBe(200);
    return body;
  };
  const titles = async (query: string, rest: object = {}): Promise<readonly string[]> =>
    (await search(query, rest)).results.map(
      ({ content }: { readonly content: { readonly title: string } }) => content.title,
    );

  const words = (query: string, rest: object = {}) => titles(query, { mode: 'keyword', ...rest });

  it('finds what was written at once, by words and by vectors, hides what is deleted, and keeps no words in Postgres', async () => {
    const push = await openPush(service, 'Birds');
    const doomed = await openPush(service, 'Doomed');
    const put = async (of: typeof push, title: string, text: string) =>
      written(await of.put(title, { text: `# ${title}\n\n${text}`, query: { title } }));
    await put(push, 'Falcons', 'A falcon dives at prey from above.');
    await put(push, 'Owls', 'An owl hunts at night without a sound.');
    await put(doomed, 'Eagles', 'An eagle hunts from above as a falcon does.');
    expect(await words('falcons')).toEqual(['Falcons', 'Eagles']);
    expect(await words('fallcon')).toContain('Falcons');
    expect(await words('hunts', { source_group_ids: [push.id] })).toEqual(['Owls']);
    const found = await eventually(
      () => search('owl', { mode: 'vector' }),
      ({ mode, total_candidates: total }) => mode === 'vector' && total === 3,
    );
    expect(found.results[0].content.title).toBe('Owls');

    written(await service.api('DELETE', `/pushes/${doomed.id}`));
    expect(await words('eagle')).toEqual([]);
    expect((await search('falcon', { mode: 'keyword' })).total_candidates).toBe(1);
    await eventually(
      () => service.api('GET', `/pushes/${doomed.id}`),
      ({ status }) => status === 404,
    );
    await put(push, 'Owls', 'They sleep by day.');
    expect(await words('sound')).toEqual([]);
    expect(await words('sleep')).toEqual(['Owls']);
    await inDatabase(service, async ({ pool }) => {
      expect((await pool.query('SELECT FROM read.lexical_block')).rowCount).toBe(0);
    });
    expect((await fetch(`${service.base}/readyz`)).status).toBe(200);
  });

  it('fills an index again that was lost, also after a kill, and rebuilds it beside searches', async () => {
    await service.end('SIGKILL');
    const [index] = await indexes();
    expect((await fetch(`${cluster}/${index}`, { method: 'DELETE' })).status).toBe(200);
    service = await service.again();
    await eventually(
      () => service.api('POST', '/search', { query: 'falcon', mode: 'keyword' }),
      ({ status, body }) => status === 200 && body.results.length === 1,
    );
    const rebuilt = await service.command('rebuild', 'search');
    expect(rebuilt).toMatchObject({ code: 0, output: expect.stringContaining('search: rebuilt from') });
    expect(await indexes()).not.toContain(index);
    expect(await words('falcon')).toEqual(['Falcons']);
    const [live] = await indexes();
    await fetch(`${cluster}/${live}`, { method: 'DELETE' });
    // Nothing is written meanwhile.
    await eventually(
      () => service.api('POST', '/search', { query: 'falcon', mode: 'keyword' }),
      ({ status, body }) => status === 200 && body.results.length === 1,
    );
    const [again] = await indexes();
    await fetch(`${cluster}/${again}`, { method: 'DELETE' });
    const push = await openPush(service, 'After');
    await push.put('Kites', { text: '# Kites\n\nA kite soars.', query: { title: 'Kites' } });
    await eventually(
      () => service.api('POST', '/search', { query: 'kite falcon', mode: 'keyword' }),
      ({ status, body }) => status === 200 && body.results.length === 2,
    );
  });

  it('goes back to Postgres once the catalog is made anew, and refuses to before', async () => {
    await service.end('SIGTERM');
    const { OPENSEARCH_URL: _, ...without } = env;
    const beside = service;
    await expect(startService(without, beside)).rejects.toThrow(/npm run rebuild catalog/);
  });

  const indexes = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${cluster}/_cat/indices/${prefix}-*?format=json`);
    return ((await answer.json()) as readonly { readonly index: string }[]).map(({ index }) => index);
  };
});
