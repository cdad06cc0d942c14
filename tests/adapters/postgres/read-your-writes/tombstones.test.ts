import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentFilter } from '../../../../application/ports/catalog.ts';
import type { Tombstones } from '../../../../application/ports/read-your-writes.ts';
import { createTombstones } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
let tombstones: Tombstones;
let t1: ReturnType<ReturnType<typeof createHistory>['of']>;
let other: typeof t1;

const GONE = ['a1', 'a2', 'b2'];
const LEFT = ['b1', 'b3'];

beforeEach(async () => {
  fixture = await openCatalog();
  tombstones = createTombstones(fixture.db);
  const history = createHistory(fixture.files);
  [t1, other] = [history.of('t1', 'A'), history.of('t1', 'B')];
  const page = (word: string) => ({ chunks: [`a falcon named ${word}`, `another falcon, ${word} too`] });
  await fixture.apply(
    t1.indexed('a1', page('alpha')),
    t1.indexed('a2', page('beta')),
    other.indexed('b1', page('gamma')),
    other.indexed('b2', page('delta')),
    other.indexed('b3', { chunks: ['a falcon without a name'], fileType: 'pdf' }),
    t1.metadata('a1', [['year', '2026']]),
    other.metadata('b2', [['year', '2025']]),
  );
});
afterEach(() => fixture.close());

const mark = async (): Promise<void> => {
  await tombstones.putDataSource('t1', idOf('A'));
  // The document that was taken out is known by its revision: the next one in its stream.
  const b2 = { sourceId: idOf('b2'), dataSourceId: idOf('B'), tenant: 't1' };
  await tombstones.putSource({ ...b2, revision: 2n, generation: 2, position: '', files: [] });
};

const SCOPES = [scope(), scope('t1', ['A', 'B']), scope('t1', ['B'])];
const FILTERS: readonly ContentFilter[] = [
  {},
  { fileTypes: ['html'] },
  { sourceGroupIds: [idOf('A'), idOf('B')] },
];

/** Everything that a read answers, but for scores and what is not told of contents. */
const everything = async () => {
  const { catalog } = fixture;
  const page = { limit: 100 };
  const ids = ['a1', 'a2', 'b1', 'b2', 'b3'];
  return Promise.all(
    SCOPES.map(async (of) => ({
      sources: await catalog
        .listSources(of, {}, page)
        .then(({ rows, total }) => [rows.map(({ id }) => id), total]),
      ofA: (await catalog.listSources(of, { sourceGroupId: idOf('A') }, page)).total,
      html: (await catalog.listSources(of, { fileType: 'html' }, page)).total,
      one: await Promise.all(ids.map((id) => catalog.getSource(of, idOf(id)).then((found) => found?.title))),
      contents: await Promise.all(
        ids.map((id) => catalog.contentsOfSource(of, idOf(id), page).then((found) => found?.rows.length)),
      ),
      queries: await Promise.all(
        FILTERS.map((filter) =>
          catalog
            .query(of, { filter, sort: 'title', page })
            .then(({ rows, total }) => [rows.map(({ id }) => id), total]),
        ),
      ),
      found: await Promise.all(
        [...FILTERS, ...FILTERS].map((filter, i) =>
          catalog
            .search(of, { query: 'falcon', filter, limit: 50, usePostfilter: i >= FILTERS.length })
            .then(({ results, totalCandidates }) => [
              results.map(({ content }) => content.id).toSorted(),
              totalCandidates,
            ]),
        ),
      ),
    })),
  );
};

describe('what a mark withholds', () => {
  it('is shown by no read, as if the views had heard of it', async () => {
    const contents = await fixture.catalog.query(scope(), {
      filter: {},
      sort: 'title',
      page: { limit: 100 },
    });
    await mark();
    const marked = await everything();
    for (const { id, sourceId } of contents.rows) {
      const shown = LEFT.map(idOf).includes(sourceId);
      expect(GONE.map(idOf).includes(sourceId)).toBe(!shown);
      expect((await fixture.catalog.getContent(scope(), id)) !== null).toBe(shown);
    }
    expect(marked[0]?.one).toEqual([undefined, undefined, 'b1', undefined, 'b3']);
    expect(marked[0]?.queries[0]?.[1]).toBe(3);
    expect(marked[0]?.found[0]?.[1]).toBe(3);

    await fixture.apply(t1.deletionRequested(), other.removed('b2'));
    expect(await everything()).toEqual(marked);
    await tombstones.removeDataSource(idOf('A'));
    await tombstones.removeSources([{ sourceId: idOf('b2'), revision: 2n }]);
    expect(await everything()).toEqual(marked);
  });

  it('comes back as new with a later fact, while the mark is still there', async () => {
    await mark();
    await fixture.apply(other.removed('b2'), other.indexed('b2', { chunks: ['a falcon is back'] }));
    expect((await fixture.catalog.getSource(scope(), idOf('b2')))?.contentCount).toBe(1);
    const { results } = await fixture.catalog.search(scope(), { query: 'back', filter: {}, limit: 5 });
    expect(results.slice(0, 1).map(({ content }) => content.text)).toEqual(['a falcon is back']);
  });

  it('is nothing of another tenant', async () => {
    await tombstones.putDataSource('t2', idOf('A'));
    expect((await fixture.catalog.listSources(scope(), {}, { limit: 10 })).total).toBe(5);
  });
});
