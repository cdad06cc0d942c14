import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import type { SearchIndex, RankRequest } from '../../../../application/ports/search-index.ts';
import type { ProjectedEvent } from '../../../../application/read-models/projected-event.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from '../catalog/catalog-fixture.ts';
import { referenceRanking } from '../../../domain/ranking/reference-ranking.ts';

let fixture: CatalogFixture;
let forgetful: SearchIndex;
beforeAll(async () => {
  fixture = await openCatalog();
  forgetful = createSearchIndex(fixture.db, { cacheBytes: 0 });
});
afterAll(() => fixture.close());

/** Words that the stemmer leaves alone. */
const word = fc.nat({ max: 30 }).map((n) => `w${Math.floor((n * n) / 30)}`);
const documents = fc.array(
  fc.record({
    title: fc.array(word, { maxLength: 4 }),
    text: fc.array(word, { minLength: 1, maxLength: 15 }),
  }),
  { minLength: 1, maxLength: 25 },
);
let tenants = 0;

/** Writes each document as a source with one chunk, several to a batch, and answers how to rank them. */
const corpus = async (
  docs: readonly { readonly title: readonly string[]; readonly text: readonly string[] }[],
  batchSize = 4,
) => {
  tenants += 1;
  const tenant = `rank ${tenants}`;
  const history = createHistory(fixture.files);
  const events = docs.map(({ title, text }, i) =>
    history.of(tenant, `${tenant} ${i % 3}`).indexed(`${tenant} doc ${i}`, {
      title: title.join(' '),
      chunks: [text.join(' ')],
    }),
  );
  for (let i = 0; i < events.length; i += batchSize) await fixture.apply(...events.slice(i, i + batchSize));
  const ids = await Promise.all(
    docs.map(async (_, i) => {
      const page = await fixture.catalog.contentsOfSource(scope(tenant), idOf(`${tenant} doc ${i}`), {
        limit: 1,
      });
      return page?.rows[0]?.id ?? '';
    }),
  );
  return {
    tenant,
    ids,
    reference: docs.map((doc, i) => ({ id: ids[i] ?? '', ...doc })),
    /** As an index answers that keeps postings in memory, and one that keeps none. */
    rank: async (query: string, rest: Partial<RankRequest> = {}, only: readonly string[] | null = null) => {
      const request = { query, filter: {}, limit: 100, ...rest };
      const [ranking, again] = await Promise.all(
        [fixture.searchIndex, forgetful].map((index) => index.rank(scope(tenant, only), request)),
      );
      expect(again).toEqual(ranking);
      return ranking!;
    },
  };
};

describe('ranking', () => {
  it('agrees with BM25, title and feedback worked out over all documents', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(word, { minLength: 1, maxLength: 5 }), async (docs, query) => {
        const { rank, reference } = await corpus(docs, 7);
        const { ranked, total_candidates } = await rank(query.join(' '));
        const expected = referenceRanking(reference, query);
        expect(ranked.map(({ content_id }) => content_id)).toEqual(expected.map(({ id }) => id));
        expect(total_candidates).toBe(expected.length);
        for (const [i, { score }] of ranked.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? -1, 8);
      }),
      { numRuns: 40 },
    );
  });

  it('agrees with it where most candidates have frequent words only, and need no score to be ruled out', async () => {
    const often = fc.constantFrom('often', 'mostly');
    const skewed = fc.record({
      title: fc.constant([]),
      text: fc.tuple(
        fc.array(often, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom('seldom', 'rarely'), { maxLength: 3 }),
        fc.boolean(),
        fc.array(word, { maxLength: 4 }),
      ),
    });
    const corpora = fc.array(skewed, { minLength: 40, maxLength: 60 });
    const queries = fc.shuffledSubarray(['often', 'mostly', 'seldom', 'rarely', 'often'], { minLength: 2 });
    await fc.assert(
      fc.asyncProperty(corpora, queries, async (skewedDocs, query) => {
        const docs = skewedDocs.map(({ title, text: [frequent, rare, isRare, rest] }, i) => ({
          title,
          text: [...frequent, ...(isRare && i % 5 === 0 ? rare : []), ...rest],
        }));
        const { rank, reference } = await corpus(docs, 15);
        const { ranked } = await rank(query.join(' '));
        const expected = referenceRanking(reference, query);
        expect(ranked.map(({ content_id }) => content_id)).toEqual(expected.map(({ id }) => id));
        for (const [i, { score }] of ranked.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? -1, 8);
      }),
      { numRuns: 12 },
    );
  });

  it('ranks only what the filter and the key let through, and takes feedback from nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(word, { minLength: 1, maxLength: 4 }), async (docs, query) => {
        const { tenant, rank, reference, ids } = await corpus(docs, 9);
        const group = `${tenant} 1`;
        const allowed = new Set(ids.filter((_, i) => i % 3 === 1));
        const expected = referenceRanking(reference, query, (id) => allowed.has(id));
        const byFilter = await rank(query.join(' '), { filter: { source_group_ids: [idOf(group)] } });
        const byKey = await rank(query.join(' '), {}, [group]);
        expect(byFilter.ranked.map(({ content_id }) => content_id)).toEqual(expected.map(({ id }) => id));
        expect(byKey).toEqual(byFilter);
        expect(byKey.total_candidates).toBe(expected.length);
      }),
      { numRuns: 20 },
    );
  });

  it('with a postfilter scores as without a filter, and fills the limit from what passes', async () => {
    const docs = Array.from({ length: 30 }, (_, i) => ({
      title: [],
      text: ['apple', `x${i}`, ...Array(i).fill('pear')],
    }));
    const { tenant, rank } = await corpus(docs);
    const filter = { source_group_ids: [idOf(`${tenant} 2`)] };
    const all = await rank('apple pear');
    const after = await rank('apple pear', { filter, use_postfilter: true, limit: 10 });
    const found = await Promise.all(
      all.ranked.map(({ content_id }) =>
        fixture.catalog.getContent(scope(tenant, [`${tenant} 2`]), content_id),
      ),
    );
    const groups = new Set(found.map((content) => content?.id));
    expect(after.ranked).toEqual(all.ranked.filter(({ content_id }) => groups.has(content_id)).slice(0, 10));
    expect(after.ranked).toHaveLength(10);
    expect(after.total_candidates).toBe(all.total_candidates);
    const forged = { filter, use_postfilter: true };
    expect((await rank('apple', forged, [`${tenant} 1`])).ranked).toEqual([]);
  });

  it('orders equal contents by their id, and cuts them there', async () => {
    const { rank, ids } = await corpus(
      Array.from({ length: 12 }, () => ({ title: ['same'], text: ['twin', 'words'] })),
      1,
    );
    const sorted = ids.toSorted();
    const all = await rank('twin');
    expect(all.ranked.map(({ content_id }) => content_id)).toEqual(sorted);
    expect(new Set(all.ranked.map(({ score }) => score))).toEqual(new Set([1]));
    const five = await rank('twin', { limit: 5 });
    expect(five.ranked.map(({ content_id }) => content_id)).toEqual(sorted.slice(0, 5));
    expect(five.total_candidates).toBe(12);
  });

  it('scores equal contents equally, whatever order their segments store words in', async () => {
    const words = Array.from({ length: 12 }, (_, i) => `q${i}`);
    const shuffled = (seed: number) =>
      fc.sample(fc.shuffledSubarray(words, { minLength: 12 }), { numRuns: 1, seed })[0] ?? [];
    const twin = words.flatMap((name, i) => Array(1 + (i % 5)).fill(name));
    const docs = Array.from({ length: 10 }, (_, i) => [
      { title: [], text: shuffled(i).slice(0, 11) },
      { title: [], text: twin },
    ]).flat();
    const { rank, ids } = await corpus(docs, 2);
    const scores = new Map(
      (await rank(words.join(' '))).ranked.map(({ content_id, score }) => [content_id, score]),
    );
    expect(new Set(ids.filter((_, i) => i % 2 === 1).map((id) => scores.get(id))).size).toBe(1);
  });

  it('gives no place to what is gone or hidden', async () => {
    const history = createHistory(fixture.files);
    const [strong, doomed, weak] = ['strong', 'doomed', 'weak'].map((name) => history.of('places', name));
    const events = Array.from({ length: 6 }, (_, i) => [
      strong?.indexed(`places s${i}`, { chunks: ['prize prize prize'] }),
      doomed?.indexed(`places d${i}`, { chunks: ['prize prize'] }),
      weak?.indexed(`places w${i}`, { chunks: [`prize and a lot of other words that say nothing ${i}`] }),
    ]).flat();
    await fixture.apply(...events.filter((event) => event !== undefined));
    for (let i = 0; i < 6; i++) await fixture.apply(strong?.removed(`places s${i}`) as ProjectedEvent);
    await fixture.apply(doomed?.deletionRequested() as ProjectedEvent);
    const request = { query: 'prize', filter: {}, limit: 6 };
    for (const filter of [{}, { source_types: ['crawl'] }]) {
      const { ranked, total_candidates } = await fixture.searchIndex.rank(scope('places'), {
        ...request,
        filter,
      });
      expect([ranked.length, total_candidates]).toEqual([6, 6]);
    }
  });

  it.each(['', '   ', 'the of and', '“—”', '\0', 'unheardof'])(
    'finds nothing for %j, without an error',
    async (query) => {
      const { rank } = await corpus([{ title: [], text: ['something', 'else'] }]);
      expect(await rank(query)).toEqual({ ranked: [], total_candidates: 0 });
    },
  );

  it('takes operators, quotes and long queries as plain words', async () => {
    const { rank, ids } = await corpus([{ title: [], text: ['alpha', 'beta'] }]);
    const query = `"alpha" & !beta | (gamma:* <-> delta) %_\\'; ${'zeta '.repeat(700)}`;
    expect((await rank(query)).ranked.map(({ content_id }) => content_id)).toEqual(ids);
  });

  it('counts how often the query says a word', async () => {
    const { rank, ids } = await corpus([
      { title: [], text: ['apple', 'q1', 'q2'] },
      { title: [], text: ['pear', 'q3', 'q4'] },
    ]);
    const first = async (query: string) => ids.indexOf((await rank(query)).ranked[0]?.content_id ?? '');
    expect(await first('apple apple pear')).toBe(0);
    expect(await first('apple pear pear')).toBe(1);
  });

  it('leaves out what scores below the minimum and still counts it', async () => {
    const { rank } = await corpus([
      { title: [], text: ['apple', 'apple', 'apple'] },
      { title: [], text: ['apple', ...Array(40).fill('other')] },
    ]);
    const { ranked, total_candidates } = await rank('apple', { min_score: 0.9 });
    expect([ranked.length, total_candidates]).toEqual([1, 2]);
    expect((await rank('apple', { min_score: 1.5 })).total_candidates).toBe(2);
  });

  it('finds words in any form, in titles, and in headings', async () => {
    const history = createHistory(fixture.files).of('forms', 'ds forms');
    await fixture.apply(
      history.indexed('forms a', {
        title: 'Running shoes',
        chunks: [[['Returns policy'], 'Send them back.']],
      }),
      history.indexed('forms b', { title: 'Nothing', chunks: ['東京都の天気'] }),
    );
    const found = async (query: string) =>
      (await fixture.catalog.search(scope('forms'), { query, filter: {}, limit: 5 })).results.map(
        ({ content }) => content.text,
      );
    expect(await found('runs')).toEqual(['Send them back.']);
    expect(await found('POLICIES')).toEqual(['Send them back.']);
    expect(await found('京都')).toEqual(['東京都の天気']);
  });

  it('never sees another tenant', async () => {
    const { tenant } = await corpus([{ title: ['secret'], text: ['secret'] }]);
    const other = await corpus([{ title: [], text: ['public'] }]);
    expect((await other.rank('secret')).ranked).toEqual([]);
    expect(
      (await fixture.searchIndex.rank(scope(tenant), { query: 'secret', filter: {}, limit: 1 })).ranked,
    ).toHaveLength(1);
    expect(
      (await fixture.searchIndex.rank(scope('nobody'), { query: 'secret', filter: {}, limit: 1 })).ranked,
    ).toEqual([]);
  });
});
