import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type Tenant } from '../support/journey.ts';
import { openPush } from '../support/pushes.ts';

describe('a push', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await journey.tenant();
  }, 120_000);

  const found = async (query: string): Promise<readonly string[]> => {
    const body = await tenant.post('/search', { body: { query, mode: 'keyword' } });
    return body.results.map(({ content }: { content: { title: string } }) => content.title);
  };
  const until = async (query: string, titles: readonly string[]): Promise<void> => {
    await expect.poll(() => found(query), { timeout: 30_000 }).toEqual(titles);
  };

  it('is created, fed, completed, fed anew, and deleted', async () => {
    const push = await openPush(tenant);
    expect(push.created).toMatchObject({ name: 'Feed', status: 'managed', job_id: push.jobId });
    const first = await push.put('docs/kestrel.md', {
      text: '# Kestrels\n\nThe kestrel hovers over meadows.',
      query: {
        url: 'https://birds.example/kestrel',
        metadata: JSON.stringify({ records: [{ key: 'order', val: '7', type: 'integer' }] }),
      },
    });
    expect([first.status, first.body]).toMatchObject([
      200,
      {
        source_group_id: push.id,
        source_type: 'push',
        title: 'Kestrels',
        url: 'https://birds.example/kestrel',
        file_type: 'md',
        status: 'indexed',
        content_count: 1,
        metadata: { records: [{ key: 'order', val: '7', type: 'integer' }] },
      },
    ]);
    const { id: sourceId } = first.body;
    expect(await tenant.get('/sources/{id}', { path: { id: sourceId } })).toEqual(first.body);
    const raw = await tenant.raw('GET', '/sources/{id}/raw', { path: { id: sourceId } });
    expect(await raw.text()).toContain('hovers over meadows');
    await push.put('heron.txt', {
      text: 'a heron stands in reeds',
      type: 'text/plain',
      query: { title: 'Herons' },
    });
    await until('kestrel meadows', ['Kestrels']);
    expect(await found('heron reeds')).toEqual(['Herons']);

    const done = await push.complete();
    expect([done.status, done.body]).toMatchObject([
      200,
      { status: 'success', progress: { seen: 2, indexed: 2, failed: 0 } },
    ]);
    expect((await push.put('late.md', '# Late')).body.error).toMatchObject({ type: 'conflict' });

    const again = await push.open();
    expect([again.status, again.body]).toMatchObject([201, { status: 'managed' }]);
    expect(again.body.job_id).not.toBe(push.jobId);
    expect(
      (await push.put('heron.txt', { text: 'a heron fishes', type: 'text/plain' })).body.id,
    ).toBeDefined();
    expect((await push.remove('docs/kestrel.md')).body).toMatchObject({ id: sourceId, title: 'Kestrels' });
    expect(await found('kestrel meadows')).toEqual([]);
    await expect(tenant.get('/sources/{id}', { path: { id: sourceId } })).rejects.toMatchObject({
      type: 'not_found',
    });
    await until('reeds', []);
    expect((await push.complete(again.body.job_id)).body).toMatchObject({
      status: 'success',
      progress: { seen: 1, indexed: 1 },
    });

    await tenant.delete('/pushes/{id}', { path: { id: push.id } });
    expect(await found('fishes')).toEqual([]);
    await expect
      .poll(async () => (await tenant.api('GET', `/pushes/${push.id}`)).status, { timeout: 60_000 })
      .toBe(404);
    expect((await push.put('heron.txt', 'a heron again')).status).toBe(404);
    expect(await push.events()).toEqual(
      expect.arrayContaining([
        'DataSourceRegistered',
        'JobQueued',
        'JobHandedOff',
        'JobSucceeded',
        'DataSourceDeleted',
      ]),
    );
  });
});
