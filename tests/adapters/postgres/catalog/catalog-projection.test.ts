import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contradictions } from './catalog-dump.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const contents = async (tenant: string, name: string) =>
  (await fixture.catalog.contentsOfSource(scope(tenant), idOf(name), { limit: 100 }))?.rows ?? null;
const texts = async (tenant: string, name: string) => (await contents(tenant, name))?.map(({ text }) => text);
const source = (tenant: string, name: string) => fixture.catalog.getSource(scope(tenant), idOf(name));
const found = async (tenant: string, query: string) => {
  const { results } = await fixture.catalog.search(scope(tenant), { query, filter: {}, limit: 50 });
  return results.map(({ content }) => content.text).toSorted();
};
const writer = (tenant: string) => createHistory(fixture.files).of(tenant, `ds ${tenant}`);

describe('SourceIndexed', () => {
  it('makes a source with its contents, as the interface shows them', async () => {
    const of = writer('first');
    const page = { title: 'A page', url: 'https://docs.example.com/a', keywords: ['k1', 'k2'], at: 1234 };
    await fixture.apply(of.indexed('first a', { ...page, chunks: ['one', [['Part'], 'two']] }));
    expect(await source('first', 'first a')).toEqual({
      id: idOf('first a'),
      sourceGroupId: idOf('ds first'),
      sourceType: 'crawl',
      title: 'A page',
      url: 'https://docs.example.com/a',
      locator: 'https://example.com/first a',
      fileType: 'html',
      language: null,
      mediaType: 'text/html',
      size: 100,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'indexed',
      skipReason: null,
      error: null,
      lastSeenTime: 1234,
      indexedTime: 1234,
      contentCount: 2,
      contentMissing: false,
      metadata: [],
    });
    expect(await contents('first', 'first a')).toEqual(
      ['one', 'two'].map((text) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        text,
        url: 'https://docs.example.com/a',
        title: 'A page',
        timestamp: 1234,
        fileType: 'html',
        pageNumber: 0,
        sourceType: 'crawl',
        sourceId: idOf('first a'),
        sourceGroupId: idOf('ds first'),
        keywords: ['k1', 'k2'],
      })),
    );
  });

  it('keeps the id and time of unchanged text, moves it, deletes what is gone and adds what is new', async () => {
    const of = writer('again');
    await fixture.apply(of.indexed('again a', { chunks: ['keep', 'drop', 'twice', 'twice'], at: 100 }));
    const before = await contents('again', 'again a');
    await fixture.apply(of.indexed('again a', { chunks: ['twice', 'fresh', 'keep'], at: 200 }));
    const after = await contents('again', 'again a');
    expect(after?.map(({ text, timestamp }) => [text, timestamp])).toEqual([
      ['twice', 100],
      ['fresh', 200],
      ['keep', 100],
    ]);
    expect([after?.[0]?.id, after?.[2]?.id]).toEqual([before?.[2]?.id, before?.[0]?.id]);
    expect(await found('again', 'drop')).toEqual([]);
    expect(await found('again', 'fresh')).toContain('fresh');
  });

  it('gives a text that was gone in between the time of its return, also within one batch', async () => {
    const of = writer('return');
    await fixture.apply(of.indexed('return a', { chunks: ['stays', 'comes and goes'], at: 100 }));
    await fixture.apply(
      of.indexed('return a', { chunks: ['stays'], at: 200 }),
      of.indexed('return a', { chunks: ['stays', 'comes and goes'], at: 300 }),
    );
    expect((await contents('return', 'return a'))?.map(({ timestamp }) => timestamp)).toEqual([100, 300]);
  });

  it('leads to the lines of a file of a repository, also when they have moved', async () => {
    const of = createHistory(fixture.files).of('t-lines', 'code');
    const page = { url: 'https://host.example/a.ts', chunks: ['one fig', 'two figs'] };
    const urls = async () =>
      (await fixture.catalog.contentsOfSource(scope('t-lines'), idOf('a.ts'), { limit: 9 }))?.rows.map(
        ({ url }) => url,
      );
    await fixture.apply(of.indexed('a.ts', { ...page, sourceType: 'repo', firstLine: 1 }));
    expect(await urls()).toEqual([`${page.url}#L1-L3`, `${page.url}#L4-L6`]);
    await fixture.apply(of.indexed('a.ts', { ...page, sourceType: 'repo', firstLine: 11 }));
    expect(await urls()).toEqual([`${page.url}#L11-L13`, `${page.url}#L14-L16`]);
    await fixture.apply(of.indexed('a.ts', { ...page, sourceType: 'repo' }));
    expect(await urls()).toEqual([page.url, page.url]);
    await fixture.apply(of.indexed('a.ts', { ...page, firstLine: 1 }));
    expect(await urls()).toEqual([page.url, page.url]);
  });

  it('says that contents are missing when the chunk set is not there, until a later version brings them', async () => {
    const of = writer('missing');
    await fixture.apply(of.indexed('missing a', { chunks: ['old text'] }));
    const superseded = of.indexed('missing a', { chunks: ['never stored'] });
    for (const [hash, set] of fixture.files)
      if (set.chunks[0]?.text === 'never stored') fixture.files.delete(hash);
    await fixture.apply(superseded);
    expect(await source('missing', 'missing a')).toMatchObject({ contentMissing: true, contentCount: 0 });
    expect(await found('missing', 'old text never stored')).toEqual([]);
    await fixture.apply(of.failed('missing a'));
    expect(await source('missing', 'missing a')).toMatchObject({ contentMissing: true, status: 'failed' });
    await fixture.apply(of.indexed('missing a', { chunks: ['mended'] }));
    expect(await source('missing', 'missing a')).toMatchObject({ contentMissing: false, contentCount: 1 });
  });

  it('keeps nothing of a batch when a chunk set cannot be read', async () => {
    const broken = writer('broken').indexed('broken a', { chunks: ['text'] });
    const reading = fixture.files.get.bind(fixture.files);
    fixture.files.get = () => {
      throw new Error('the disk is on fire');
    };
    await expect(fixture.apply(broken)).rejects.toThrow('the disk is on fire');
    fixture.files.get = reading;
    expect(await source('broken', 'broken a')).toBeNull();
    await fixture.apply(broken);
    expect(await texts('broken', 'broken a')).toEqual(['text']);
  });

  it('stores what Postgres cannot hold as a replacement character', async () => {
    const of = writer('odd');
    const records = [['k\0', 'v\0\uD800', 'string']] as const;
    await fixture.apply(
      of.indexed('odd a', {
        title: 'T\0\uDFFF',
        keywords: ['\0'],
        chunks: [[['H\0'], 'nul \0 and half \uD83D end']],
      }),
      of.metadata('odd a', records),
    );
    expect(await texts('odd', 'odd a')).toEqual(['nul \uFFFD and half \uFFFD end']);
    expect(await source('odd', 'odd a')).toMatchObject({
      title: 'T\uFFFD\uFFFD',
      metadata: [{ key: 'k\uFFFD', val: 'v\uFFFD\uFFFD', type: 'string' }],
    });
    expect(await found('odd', 'half')).toHaveLength(1);
  });

  it('takes very long texts, words, titles and metadata', async () => {
    const of = writer('long');
    const long = 'x'.repeat(100_000);
    await fixture.apply(
      of.indexed('long a', {
        title: long,
        url: `https://e.com/${long}`,
        chunks: [`${'needle '.repeat(50_000)}${long}`],
      }),
      of.metadata('long a', [[long, long, 'string']]),
    );
    expect(await found('long', 'needle')).toHaveLength(1);
    expect((await source('long', 'long a'))?.metadata).toEqual([{ key: long, val: long, type: 'string' }]);
  });
});

describe('other events of a source', () => {
  it('skipped: the contents go, the reason stays', async () => {
    const of = writer('skipped');
    await fixture.apply(of.indexed('skipped a', { chunks: ['text'] }), of.skipped('skipped a', 3000));
    expect(await source('skipped', 'skipped a')).toMatchObject({
      status: 'skipped',
      skipReason: 'empty',
      contentCount: 0,
      sha256: null,
      indexedTime: null,
      lastSeenTime: 3000,
    });
    expect(await texts('skipped', 'skipped a')).toEqual([]);
  });

  it('failed: what was indexed stays readable, and a later success clears the error', async () => {
    const of = writer('failed');
    await fixture.apply(of.indexed('failed a', { chunks: ['text'], at: 10 }), of.failed('failed a', 20));
    expect(await source('failed', 'failed a')).toMatchObject({
      status: 'failed',
      error: { code: 'timeout', message: 'no answer' },
      indexedTime: 10,
      contentCount: 1,
    });
    expect(await found('failed', 'text')).toEqual(['text']);
    await fixture.apply(of.indexed('failed a', { chunks: ['text'], at: 30 }));
    expect(await source('failed', 'failed a')).toMatchObject({ status: 'indexed', error: null });
  });

  it('failed at first sight: a source without contents under its locator', async () => {
    await fixture.apply(writer('never').failed('never a'));
    expect(await source('never', 'never a')).toMatchObject({
      status: 'failed',
      url: 'https://example.com/never a',
      fileType: null,
      contentCount: 0,
    });
  });

  it('removed: nothing is left to read, and it may come back', async () => {
    const of = writer('removed');
    await fixture.apply(
      of.indexed('removed a', { chunks: ['text'] }),
      of.metadata('removed a', [['k', 'v']]),
    );
    await fixture.apply(of.removed('removed a'));
    expect(await source('removed', 'removed a')).toBeNull();
    expect(await contents('removed', 'removed a')).toBeNull();
    expect(await found('removed', 'text')).toEqual([]);
    await fixture.apply(of.indexed('removed a', { chunks: ['text'] }));
    expect(await texts('removed', 'removed a')).toEqual(['text']);
    expect(await source('removed', 'removed a')).toMatchObject({ metadata: [] });
  });

  it('metadata: replaced as a whole and deleted, in the order given', async () => {
    const of = writer('meta');
    await fixture.apply(
      of.skipped('meta a'),
      of.metadata('meta a', [
        ['b', '1', 'integer'],
        ['a', 'x'],
        ['b', '2', 'integer'],
      ]),
    );
    expect((await source('meta', 'meta a'))?.metadata.map(({ key, val }) => key + val)).toEqual([
      'b1',
      'ax',
      'b2',
    ]);
    await fixture.apply(of.metadata('meta a', [['c', 'y']]));
    expect((await source('meta', 'meta a'))?.metadata).toEqual([{ key: 'c', val: 'y', type: 'string' }]);
    await fixture.apply(of.noMetadata('meta a'));
    expect((await source('meta', 'meta a'))?.metadata).toEqual([]);
  });
});

describe('deletion of a data source', () => {
  it('hides its sources and contents from every read when it is requested, and only its own', async () => {
    const history = createHistory(fixture.files);
    const [doomed, kept] = [history.of('hide', 'hide doomed'), history.of('hide', 'hide kept')];
    await fixture.apply(
      doomed.indexed('hide a', { chunks: ['shared word'] }),
      doomed.metadata('hide a', [['k', 'v']]),
      kept.indexed('hide b', { chunks: ['shared word'] }),
    );
    const [content] = (await contents('hide', 'hide a')) ?? [];
    await fixture.apply(doomed.deletionRequested());
    await fixture.apply(doomed.indexed('hide late', { chunks: ['shared latecomer'] }));
    const { catalog, purge } = fixture;
    const page = { limit: 100 };
    expect(await source('hide', 'hide a')).toBeNull();
    expect(await contents('hide', 'hide a')).toBeNull();
    expect(await catalog.getContent(scope('hide'), content?.id ?? '')).toBeNull();
    expect((await catalog.listSources(scope('hide'), {}, page)).rows.map(({ id }) => id)).toEqual([
      idOf('hide b'),
    ]);
    expect((await catalog.listSources(scope('hide'), {}, page)).total).toBe(1);
    const query = await catalog.query(scope('hide'), { filter: {}, sort: 'timestamp', page });
    expect([query.rows.length, query.total]).toEqual([1, 1]);
    expect(await found('hide', 'shared latecomer')).toEqual(['shared word']);
    const restricted = { query: 'shared', filter: { sourceGroupIds: [idOf('hide doomed')] }, limit: 5 };
    expect(await catalog.search(scope('hide'), restricted)).toEqual({ results: [], totalCandidates: 0 });
    expect(await purge.countOf(idOf('hide doomed'))).toEqual({ sources: 2, contents: 2 });
    expect(await purge.sourceIds('hide', idOf('hide doomed'), 10)).toEqual([
      idOf('hide a'),
      idOf('hide late'),
    ]);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

  it('leaves no row when it is done, and nothing late brings one back', async () => {
    const of = writer('purge');
    await fixture.apply(
      of.indexed('purge a', { chunks: ['text'] }),
      of.metadata('purge a', [['k', 'v']]),
      of.failed('purge b'),
    );
    await fixture.apply(of.deletionRequested(), of.removed('purge a'));
    expect(await fixture.purge.countOf(idOf('ds purge'))).toEqual({ sources: 1, contents: 0 });
    await fixture.apply(of.deleted());
    await fixture.apply(
      of.indexed('purge b', { chunks: ['late'] }),
      of.indexed('purge c', { chunks: ['later'] }),
    );
    const { rows } = await sql`
      select from read.source where data_source_id = ${idOf('ds purge')} union all
      select from read.content where data_source_id = ${idOf('ds purge')} union all
      select from read.source_count where data_source_id = ${idOf('ds purge')}`.execute(fixture.db);
    expect(rows).toEqual([]);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });
});

it('a catalog beside another search engine has everything but the lexical index, and another shape', async () => {
  const beside = await openCatalog(undefined, false);
  const of = createHistory(beside.files).of('beside', 'ds beside');
  const page = { title: 'A page', chunks: ['one', 'two'] };
  await beside.apply(of.indexed('beside a', page), of.indexed('beside b', page));
  await beside.apply(of.indexed('beside a', { ...page, chunks: ['three'] }), of.removed('beside b'));
  const { rows } = (await beside.catalog.contentsOfSource(scope('beside'), idOf('beside a'), { limit: 9 }))!;
  expect(rows.map(({ text }) => text)).toEqual(['three']);
  await beside.apply(of.deletionRequested());
  const lexical = beside.projection.tables.filter((table) => table.startsWith('lexical_'));
  expect(lexical.length).toBeGreaterThan(3);
  for (const table of lexical) {
    const { rows: stored } = await sql`select from ${sql.id(beside.schema, table)}`.execute(beside.db);
    expect([table, stored.length]).toEqual([table, 0]);
  }
  expect(beside.projection.shape).toBeGreaterThan(fixture.projection.shape);
  await beside.close();
});
