import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type Tenant } from '../support/journey.ts';
import { openPush } from '../support/pushes.ts';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('a push', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await journey.tenant();
  }, 120_000);

  const found = async (query: string): Promise<readonly string[]> => {
    const { body } = await tenant.api('POST', '/search', { query, mode: 'keyword' });
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
    expect((await tenant.api('GET', `/sources/${sourceId}`)).body).toEqual(first.body);
    expect((await tenant.api('GET', `/sources/${sourceId}/raw`)).body).toContain('hovers over meadows');
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
    expect((await tenant.api('GET', `/sources/${sourceId}`)).status).toBe(404);
    await until('reeds', []);
    expect((await push.complete(again.body.job_id)).body).toMatchObject({
      status: 'success',
      progress: { seen: 1, indexed: 1 },
    });

    expect((await tenant.api('DELETE', `/pushes/${push.id}`)).status).toBe(202);
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

describe('the example of a client', { timeout: 120_000 }, () => {
  const CLIENT = new URL('../../docs/push-client.mjs', import.meta.url).pathname;

  const journey = openJourney();
  let tenant: Tenant;
  let folder: string;
  beforeAll(async () => {
    tenant = await journey.tenant();
    folder = await mkdtemp(join(tmpdir(), 'knowledger-feed-'));
    journey.closing(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'in'));
  }, 120_000);

  /** Runs the client; answers what it prints, and how it ends. */
  const feed = async (
    args: readonly string[] = ['Feed', folder],
    key = tenant.key,
  ): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> => {
    const env = { ...process.env, KNOWLEDGER_URL: tenant.base, KNOWLEDGER_API_KEY: key };
    const client = spawn(process.execPath, [CLIENT, ...args], { env });
    let text = '';
    for (const stream of [client.stdout, client.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => {
      client.on('close', resolve);
    });
    return {
      code,
      lines: text
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    };
  };
  const titles = async (): Promise<readonly string[]> => {
    const { body } = await tenant.api('GET', '/sources');
    return body.sources.map(({ title }: { title: string }) => title).toSorted();
  };

  it('says in a line what is missing', async () => {
    const usage = 'usage: push-client.mjs <name of the push> <folder>';
    expect(await feed(['Feed'])).toEqual({ code: 1, lines: [usage] });
    const { code, lines } = await feed(undefined, 'kn_unknown');
    expect([code, lines]).toEqual([1, [expect.stringContaining('API key')]]);
  });

  it('feeds a folder, and later what has changed in it', async () => {
    await writeFile(join(folder, 'heron.md'), '# Herons\n\nThe heron stands in reeds.');
    await writeFile(join(folder, 'in', 'kestrel.txt'), 'the kestrel hovers');
    await writeFile(join(folder, 'in', 'left.bin'), 'nobody reads this');
    const first = await feed();
    expect(first.lines.toSorted()).toEqual(['indexed heron.md', 'indexed in/kestrel.txt', 'success']);
    expect([first.code, await titles()]).toEqual([0, ['Herons', 'kestrel']]);

    await rm(join(folder, 'in', 'kestrel.txt'));
    await writeFile(join(folder, 'heron.md'), '# Grey herons\n\nThe heron fishes.');
    expect(await feed()).toEqual({ code: 0, lines: ['indexed heron.md', 'gone in/kestrel.txt', 'success'] });
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
    const { body } = await tenant.api('GET', '/pushes');
    expect(body.pushes).toMatchObject([{ name: 'Feed', status: 'success' }]);
  });

  it('goes on past a document that is refused, and past folders, and says so', async () => {
    await writeFile(join(folder, 'empty.txt'), '');
    await mkdir(join(folder, 'folder.md'));
    const { code, lines } = await feed();
    expect([code, lines.toSorted()]).toEqual([
      0,
      ['indexed heron.md', 'refused empty.txt the document has no bytes', 'success'],
    ]);
    await rm(join(folder, 'empty.txt'));
    await rm(join(folder, 'folder.md'), { recursive: true });
  });

  it('takes out next time what a run brought that broke off', async () => {
    await writeFile(join(folder, 'wren.md'), '# Wrens');
    const list = join(folder, '.pushed.json');
    // A name that cannot be asked for breaks the run off behind the documents.
    await writeFile(list, JSON.stringify(['heron.md', '\ud800']));
    expect((await feed()).code).toBe(1);
    expect(JSON.parse(await readFile(list, 'utf8'))).toContain('wren.md');
    await writeFile(list, JSON.stringify(['heron.md', 'wren.md']));
    await rm(join(folder, 'wren.md'));
    expect((await feed()).lines).toContain('gone wren.md');
    await expect.poll(titles, { timeout: 30_000 }).toEqual(['Grey herons']);
  });
});
