import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  PassageRequest,
  CatalogScope,
  ContentFilter,
  ContentRecord,
  SourceListFilter,
} from '../../../../application/ports/catalog.ts';
import type { Page, PageRequest } from '../../../../application/ports/page.ts';
import { parseFilter } from '../../../../domain/filter/parse-filter.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
const HOSTS = ['example.com', 'docs.example.com', 'notexample.com', 'other.org'];
const TITLES = ['b', 'a', 'B', 'ä', 'a'];

/** 23 sources of two groups with 46 contents, and as many of another tenant. */
beforeAll(async () => {
  fixture = await openCatalog();
  for (const tenant of ['t1', 't2']) {
    const history = createHistory(fixture.files);
    for (let i = 0; i < 23; i++) {
      const of = history.of(tenant, `${tenant} group ${i % 2}`);
      const page = {
        title: TITLES[i % TITLES.length] ?? '',
        url: `https://${HOSTS[i % HOSTS.length]}/p${i}`,
        fileType: i % 3 === 0 ? 'pdf' : 'html',
        at: 1000 + Math.floor(i / 4) * 10,
      };
      const name = `${tenant} ${i}`;
      await fixture.apply(
        of.indexed(name, { ...page, chunks: [`first of ${i}`, `second of ${i}`] }),
        of.metadata(name, [
          ['n', String(i), 'integer'],
          ['parity', i % 2 === 0 ? 'even' : 'odd'],
        ]),
      );
    }
  }
  await fixture.apply(
    createHistory(fixture.files)
      .of('t1', 't1 group 0')
      .indexed('t1 empty', { title: 'zzz', chunks: [], at: 9000 }),
  );
});
afterAll(() => fixture.close());

/** Reads a list to its end. */
const readAll = async <Row extends { readonly id: string }>(
  read: (page: PageRequest) => Promise<Page<Row>>,
  limit: number,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (let after: string | undefined; ; after = rows.at(-1)?.id) {
    const page = await read({ limit, ...(after !== undefined && { after }) });
    rows.push(...page.rows);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    if (page.hasMore) expect(page.rows).toHaveLength(limit);
    else return rows;
  }
};
const query =
  (filter: ContentFilter, sort: 'timestamp' | 'title' = 'timestamp', of: CatalogScope = scope()) =>
  (page: PageRequest) =>
    fixture.catalog.query(of, { filter, sort, page });
const numbersOf = (rows: readonly ContentRecord[]): readonly number[] =>
  [...new Set(rows.map(({ url }) => Number(url.split('/p')[1])))].toSorted((a, b) => a - b);
const filtered = async (filter: ContentFilter) => numbersOf(await readAll(query(filter), 100));
const those = (holds: (i: number) => boolean) => Array.from({ length: 23 }, (_, i) => i).filter(holds);

describe('lists', () => {
  it('give every record once and in one order, whatever the size of the page', async () => {
    const lists = [
      query({}),
      query({}, 'title'),
      (page: PageRequest) => fixture.catalog.listSources(scope(), {}, page),
    ];
    for (const list of lists) {
      const whole = await readAll<{ readonly id: string }>(list, 100);
      expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
      for (const limit of [1, 2, 3, 7, 45, 46, 47]) {
        expect((await readAll<{ readonly id: string }>(list, limit)).map(({ id }) => id)).toEqual(
          whole.map(({ id }) => id),
        );
      }
    }
  });

  it('sort contents by time and document, newest first, or by title in the order of code points; then by id', async () => {
    const byTime = await readAll(query({}), 10);
    const byTitle = await readAll(query({}, 'title'), 10);
    const bytes = (text: string) => Buffer.from(text).toString('hex');
    const { rows: sources } = await sql<{ id: string; no: number }>`select id, no from read.source`.execute(
      fixture.db,
    );
    const arrived = new Map(sources.map(({ id, no }) => [id, no]));
    const keys = byTime.map(
      ({ timestamp, sourceId, id }) => [timestamp, arrived.get(sourceId)!, id] as const,
    );
    expect(keys).toEqual(keys.toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || (a[2] < b[2] ? 1 : -1)));
    expect(new Set(keys.map(([timestamp, no]) => `${timestamp} ${no}`)).size).toBeLessThan(keys.length);
    expect(byTitle.map(({ title, id }) => bytes(title) + id)).toEqual(
      byTitle.map(({ title, id }) => bytes(title) + id).toSorted(),
    );
    expect(byTime).toHaveLength(46);
  });

  it('list sources newest first, and go on behind one that was removed meanwhile', async () => {
    const history = createHistory(fixture.files).of('t3', 'g');
    for (const name of ['x1', 'x2', 'x3', 'x4'])
      await fixture.apply(history.indexed(name, { chunks: ['t'] }));
    const list = (page: PageRequest) => fixture.catalog.listSources(scope('t3'), {}, page);
    expect((await list({ limit: 2 })).rows.map(({ id }) => id)).toEqual([idOf('x4'), idOf('x3')]);
    await fixture.apply(history.removed('x3'), history.indexed('x5', { chunks: ['t'] }));
    const second = await list({ limit: 2, after: idOf('x3') });
    expect(second).toMatchObject({ hasMore: false, total: 4 });
    expect(second.rows.map(({ id }) => id)).toEqual([idOf('x2'), idOf('x1')]);
  });

  it('list sources by title, by status, and by a part of their title, URL or locator in any case', async () => {
    const history = createHistory(fixture.files).of('t4', 'g');
    const url = 'https://example.com/Ganz/unten';
    await fixture.apply(
      history.indexed('y1', { title: 'Über Reiher', url, chunks: ['t'] }),
      history.indexed('y2', { title: 'Owls 100%', chunks: ['t'] }),
      history.indexed('y3', { title: 'Herons', chunks: ['t'] }),
      history.failed('y2'),
      history.skipped('y4'),
      history.removed('y3'),
    );
    const found = async (filter: SourceListFilter, sort?: 'title', of = scope('t4')) => {
      const list = (page: PageRequest) => fixture.catalog.listSources(of, filter, page, sort);
      const ids = (await readAll(list, 1)).map(({ id }) => id);
      expect((await list({ limit: 1 })).total).toBe(ids.length);
      return ['y1', 'y2', 'y3', 'y4'].map((name) => ids.indexOf(idOf(name)));
    };
    expect(await found({}, 'title')).toEqual([2, 1, -1, 0]);
    expect(await found({ statuses: ['failed'] })).toEqual([-1, 0, -1, -1]);
    expect(await found({ statuses: ['skipped', 'indexed'] }, 'title')).toEqual([1, -1, -1, 0]);
    expect(await found({ contains: 'üBER r' })).toEqual([0, -1, -1, -1]);
    expect(await found({ contains: 'ganz/UNTEN' })).toEqual([0, -1, -1, -1]);
    expect(await found({ contains: '00%' })).toEqual([-1, 0, -1, -1]);
    expect(await found({ contains: '_' })).toEqual([-1, -1, -1, -1]);
    expect(await found({ contains: 'reiher\nhttps' })).toEqual([-1, -1, -1, -1]);
    expect(await found({ contains: 'owls', statuses: ['indexed'] })).toEqual([-1, -1, -1, -1]);
    expect(await found({ contains: 'owls' }, 'title', scope('t4', ['another']))).toEqual([-1, -1, -1, -1]);
  });

  it('read the contents of a source in reading order', async () => {
    const list = async (page: PageRequest) => {
      const found = await fixture.catalog.contentsOfSource(scope(), idOf('t1 5'), page);
      if (found === null) throw new Error('no source');
      return found;
    };
    expect((await readAll(list, 1)).map(({ text }) => text)).toEqual(['first of 5', 'second of 5']);
    expect(await list({ limit: 1 })).toMatchObject({ total: 2, before: 0 });
    const [foreign] = (await query({})({ limit: 1 })).rows;
    await expect(list({ limit: 1, after: foreign?.id ?? '' })).rejects.toThrow(DomainError);
  });

  it('read the contents of a source around one of them, and say how many stand before', async () => {
    const list = (page: PassageRequest) => fixture.catalog.contentsOfSource(scope(), idOf('t1 5'), page);
    const shown = async (page: PassageRequest) => {
      const { rows, before } = (await list(page))!;
      return [before, ...rows.map(({ text }) => text)];
    };
    const [first, second] = (await list({ limit: 2 }))!.rows.map(({ id }) => id);
    expect(await shown({ limit: 1, around: second! })).toEqual([1, 'second of 5']);
    expect(await shown({ limit: 1, after: first! })).toEqual([1, 'second of 5']);
    expect(await shown({ limit: 2, around: second! })).toEqual([0, 'first of 5', 'second of 5']);
    await expect(list({ limit: 1, around: idOf('nothing') })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it.each(['no uuid', idOf('nothing'), ''])('refuse the cursor %j', async (after) => {
    const page = { limit: 5, after };
    for (const read of [
      () => query({})(page),
      () => query({}, 'title')(page),
      () => fixture.catalog.listSources(scope(), {}, page),
    ]) {
      await expect(read()).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it('refuse a cursor of another tenant or of a group that the key does not reach', async () => {
    const [foreign] = (await query({}, 'timestamp', scope('t2'))({ limit: 1 })).rows;
    await expect(query({})({ limit: 5, after: foreign?.id ?? '' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
    const list = (of: CatalogScope) => fixture.catalog.listSources(of, {}, { limit: 5, after: idOf('t1 1') });
    await expect(list(scope('t2'))).rejects.toMatchObject({ code: 'invalid_cursor' });
    await expect(list(scope('t1', ['t1 group 0']))).rejects.toMatchObject({ code: 'invalid_cursor' });
    expect((await list(scope('t1', ['t1 group 1']))).rows).toEqual([]);
  });
});

describe('totals', () => {
  it.each([
    [{}, 24],
    [{ sourceGroupId: idOf('t1 group 1') }, 11],
    [{ fileType: 'pdf' }, 8],
    [{ sourceGroupId: idOf('t1 group 0'), fileType: 'html' }, 9],
    [{ sourceType: 'crawl' }, 24],
    [{ sourceType: 'wiki' }, 0],
    [{ url: 'https://example.com/p4' }, 1],
    [{ url: 'https://example.com/p4', fileType: 'pdf' }, 0],
    [{ sourceGroupId: 'no uuid' }, 0],
    [{ url: 'nul \0' }, 0],
  ])('of sources with %j: %i, and so many are listed', async (filter, total) => {
    const page = await fixture.catalog.listSources(scope(), filter, { limit: 100 });
    expect([page.total, page.rows.length]).toEqual([total, total]);
  });

  it.each([
    {},
    { sourceGroupIds: [idOf('t1 group 1')] },
    { fileTypes: ['pdf', 'md'], sourceTypes: ['crawl'] },
    { fileTypes: [] },
    { domains: ['example.com'] },
    { dateFrom: 1020 },
    {
      sourceMetadata: [parseFilter({ filters: [{ key: 'parity', operator: 'eq', val: 'odd' }] }, new Map())],
    },
    { sourceMetadata: [], chunkMetadata: [] },
  ])('of contents with %j are those that are listed', async (filter: ContentFilter) => {
    const page = await query(filter)({ limit: 1 });
    expect(page.total).toBe((await readAll(query(filter), 100)).length);
  });
});

describe('filters on contents', () => {
  it.each<readonly [ContentFilter, (i: number) => boolean]>([
    [{}, () => true],
    [{ sourceGroupIds: [idOf('t1 group 1')] }, (i) => i % 2 === 1],
    [{ sourceGroupIds: [idOf('t2 group 1'), 'no uuid'] }, () => false],
    [{ sourceTypes: ['crawl', 'wiki'] }, () => true],
    [{ sourceTypes: [] }, () => false],
    [{ fileTypes: ['pdf'] }, (i) => i % 3 === 0],
    [{ fileTypes: ['pdf', 'nul \0'] }, (i) => i % 3 === 0],
    [{ dateFrom: 1020, dateTo: 1030 }, (i) => i >= 8 && i < 16],
    [{ dateFrom: 1020.5 }, (i) => i >= 12],
    [{ dateTo: 1e300, dateFrom: -1e300 }, () => true],
    [{ domains: ['example.com'] }, (i) => i % 4 < 2],
    [{ domains: ['.Example.COM.'] }, (i) => i % 4 < 2],
    [{ domains: ['docs.example.com', 'org'] }, (i) => i % 4 === 1 || i % 4 === 3],
    [{ domains: ['%', '_', 'ample.com', ''] }, () => false],
    [{ domains: [] }, () => false],
    [{ fileTypes: ['pdf'], domains: ['other.org'] }, (i) => i % 12 === 3],
  ])('%j', async (filter, holds) => expect(await filtered(filter)).toEqual(those(holds)));

  it('on metadata of the source and of the chunk must all hold', async () => {
    const types = new Map([['n', 'integer' as const]]);
    const n = (operator: string, val: number) =>
      parseFilter({ filters: [{ key: 'n', operator, val }] }, types);
    const parity = parseFilter({ filters: [{ key: 'parity', operator: 'eq', val: 'odd' }] }, types);
    expect(await filtered({ sourceMetadata: [n('gte', 5), n('lt', 12)] })).toEqual(
      those((i) => i >= 5 && i < 12),
    );
    expect(await filtered({ sourceMetadata: [n('gt', 8), parity] })).toEqual(
      those((i) => i > 8 && i % 2 === 1),
    );
    expect(await filtered({ chunkMetadata: [parity] })).toEqual([]);
    expect(await filtered({ chunkMetadata: [parity], sourceMetadata: [parity] })).toEqual([]);
  });

  it('find chunks by their pages and headings, also after these have changed', async () => {
    const of = createHistory(fixture.files).of('t5', 'manuals');
    const manual = (name: string, ...chunks: readonly (readonly [readonly string[], string])[]) =>
      fixture.apply(of.indexed(name, { title: name, chunks, pages: name !== 'web' }));
    await manual('pump', [['Safety'], 'seal one'], [['Safety', 'Valves'], 'seal two'], [[], 'seal three']);
    await manual('web', [['Valves'], 'seal four']);
    const types = await fixture.catalog.metadataTypes(scope('t5'), 'chunk', ['page_number', 'heading']);
    expect([...types]).toEqual([
      ['heading', ['string']],
      ['page_number', ['integer']],
    ]);
    const texts = async (key: string, operator: string, val: unknown) => {
      const by = parseFilter({ filters: [{ key, operator, val }] }, new Map([['page_number', 'integer']]));
      const request = { query: 'seal', filter: { chunkMetadata: [by] }, limit: 100 };
      const { results } = await fixture.catalog.search(scope('t5'), request);
      const listed = await query({ chunkMetadata: [by] }, 'timestamp', scope('t5'))({ limit: 100 });
      const found = results.map(({ content }) => content.text).toSorted();
      expect(listed.rows.map(({ text }) => text).toSorted()).toEqual(found);
      return found;
    };
    expect(await texts('heading', 'eq', 'Valves')).toEqual(['seal four', 'seal two']);
    expect(await texts('heading', 'eq', 'Safety')).toEqual(['seal one', 'seal two']);
    expect(await texts('heading', 'exists', false)).toEqual(['seal three']);
    expect(await texts('page_number', 'gte', 2)).toEqual(['seal three', 'seal two']);
    expect(await texts('page_number', 'exists', false)).toEqual(['seal four']);
    await manual(
      'pump',
      [['Safety', 'Valves'], 'seal two'],
      [['Safety'], 'seal one'],
      [['End'], 'seal three'],
    );
    expect(await texts('page_number', 'gte', 2)).toEqual(['seal one', 'seal three']);
    expect(await texts('heading', 'eq', 'End')).toEqual(['seal three']);
    await fixture.apply(of.removed('pump'));
    expect(await texts('heading', 'exists', true)).toEqual(['seal four']);
  });
});

describe('what a caller may not see', () => {
  it.each([
    ['another tenant', scope('t2')],
    ['a key for another group', scope('t1', ['t1 group 1'])],
    ['a key for no group', scope('t1', [])],
    ['a key for what is no group', { tenant: 't1', only: ['no uuid'], access: null }],
  ])('is absent for %s', async (_, of) => {
    const [mine] = (await fixture.catalog.contentsOfSource(scope(), idOf('t1 4'), { limit: 1 }))?.rows ?? [];
    const id = mine?.id ?? '';
    const { catalog } = fixture;
    expect(await catalog.getContent(of, id)).toBeNull();
    expect(await catalog.getSource(of, idOf('t1 4'))).toBeNull();
    expect(await catalog.contentsOfSource(of, idOf('t1 4'), { limit: 5 })).toBeNull();
    const listed = await catalog.listSources(of, {}, { limit: 100 });
    expect(listed.rows.map((row) => row.id)).not.toContain(idOf('t1 4'));
    expect(listed.total).toBe(listed.rows.length);
    const contents = await catalog.query(of, { filter: {}, sort: 'title', page: { limit: 100 } });
    expect(contents.rows.map((row) => row.id)).not.toContain(id);
    expect(contents.total).toBe(contents.rows.length);
    const found = await catalog.search(of, { query: 'first of 4', filter: {}, limit: 100 });
    expect(found.results.map(({ content }) => content.id)).not.toContain(id);
  });

  it('includes nothing that is no id', async () => {
    expect(await fixture.catalog.getContent(scope(), 'no uuid')).toBeNull();
    expect(await fixture.catalog.getSource(scope(), 'no uuid')).toBeNull();
    expect(await fixture.catalog.contentsOfSource(scope(), 'no uuid', { limit: 1 })).toBeNull();
  });
});

describe('metadataTypes', () => {
  it('names the types under which values were stored, for the tenant alone', async () => {
    const of = createHistory(fixture.files).of('t4', 'g4');
    await fixture.apply(
      of.skipped('t4 a'),
      of.metadata('t4 a', [
        ['k', '1', 'integer'],
        ['k', '1.5', 'float'],
        ['d', '2024-01-01', 'date'],
      ]),
    );
    const types = await fixture.catalog.metadataTypes(scope('t4'), 'source', ['k', 'd', 'n', 'nul \0']);
    expect([...types.keys()].toSorted()).toEqual(['d', 'k']);
    expect(types.get('d')).toEqual(['date']);
    expect(types.get('k')?.toSorted()).toEqual(['float', 'integer']);
    expect(await fixture.catalog.metadataTypes(scope('t4'), 'chunk', ['k'])).toEqual(new Map());
    expect(await fixture.catalog.metadataTypes(scope('t4'), 'source', [])).toEqual(new Map());
  });

  it('names none that only data sources outside of the scope have', async () => {
    const history = createHistory(fixture.files);
    const [mine, others] = [history.of('t5', 'g5'), history.of('t5', 'g6')];
    await fixture.apply(
      mine.skipped('t5 a'),
      mine.metadata('t5 a', [['both', '1', 'integer']]),
      others.skipped('t5 b'),
      others.metadata('t5 b', [
        ['both', 'x', 'string'],
        ['theirs', '1', 'integer'],
      ]),
    );
    const keys = ['both', 'theirs'];
    const restricted = scope('t5', ['g5']);
    const types = await fixture.catalog.metadataTypes(restricted, 'source', keys);
    expect([...types]).toEqual([['both', ['integer']]]);
    expect(await fixture.catalog.metadataTypes(restricted, 'chunk', keys)).toEqual(new Map());
    expect((await fixture.catalog.metadataTypes(scope('t5'), 'source', keys)).size).toBe(2);
  });
});
