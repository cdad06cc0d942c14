import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorIndexOptions } from '../../../../adapters/postgres/vectors/vector-index.ts';
import { embeddedText } from '../../../../application/search/embedding/embed-pending.ts';
import type { ContentFilter } from '../../../../application/ports/catalog.ts';
import { cosine, createHashedEmbedder, hashedVector } from '../../../support/embedding/hashed-embedder.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from '../catalog/catalog-fixture.ts';
import { openVectors } from './embedding-fixture.ts';

/** A byte per dimension: how far a cosine may be off. */
const CLOSE = 0.015;
let tenants = 0;

const word = fc.constantFrom('apple', 'apples', 'pear', 'plum', 'plumber', 'turbine', 'valve', 'valves');
const pages = fc.array(
  fc.record({
    title: fc.array(word, { minLength: 1, maxLength: 2 }),
    text: fc.array(word, { minLength: 1, maxLength: 6 }),
    group: fc.constantFrom('a', 'b', 'c'),
    fileType: fc.constantFrom('html', 'pdf'),
    at: fc.integer({ min: 1_000, max: 1_010 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const filters = fc.record(
  {
    fileTypes: fc.constantFrom(['html'], ['pdf'], ['html', 'pdf'], []),
    dateFrom: fc.integer({ min: 998, max: 1_012 }),
  },
  { requiredKeys: [] },
);
interface Page {
  readonly title: readonly string[];
  readonly text: readonly string[];
  readonly group: string;
  readonly fileType: string;
  readonly at: number;
}

const passes = (page: Page, filter: ContentFilter): boolean =>
  (filter.fileTypes?.includes(page.fileType) ?? true) && page.at >= (filter.dateFrom ?? 0);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the index of vectors', () => {
  let fixture: CatalogFixture;
  beforeAll(async () => {
    fixture = await openCatalog();
  });
  afterAll(() => fixture?.close());

  /** Writes and embeds pages of one chunk each, of another tenant too; answers them with the ids of their contents. */
  const corpus = async (all: readonly Page[], options: VectorIndexOptions = {}) => {
    tenants += 1;
    const tenant = `vectors ${tenants}`;
    const history = createHistory(fixture.files);
    const write = (of: string, page: Page, i: number) =>
      history.of(of, `${of} ${page.group}`).indexed(`${of} ${i}`, {
        title: page.title.join(' '),
        chunks: [page.text.join(' ')],
        fileType: page.fileType,
        at: page.at,
      });
    await fixture.apply(
      ...all.flatMap((page, i) => [write(tenant, page, i), write(`${tenant} other`, page, i)]),
    );
    const vectors = openVectors(fixture, options);
    await vectors.embedAll(createHashedEmbedder());
    const known = await Promise.all(
      all.map(async (page, i) => {
        const found = await fixture.catalog.contentsOfSource(scope(tenant), idOf(`${tenant} ${i}`), {
          limit: 1,
        });
        const text = embeddedText({ title: page.title.join(' '), headings: [], text: page.text.join(' ') });
        return { id: found?.rows[0]?.id ?? '', page, vector: hashedVector(text) };
      }),
    );
    return { tenant, history, vectors, known };
  };

  it('ranks what scope and filter let through, as an evaluation in memory does, from memory or from the tables', async () => {
    let restricted = 0;
    await fc.assert(
      fc.asyncProperty(
        pages,
        filters,
        fc.option(fc.subarray(['a', 'b', 'c'])),
        fc.boolean(),
        fc.constantFrom(0, 2_000, 1e9),
        fc.constantFrom(2, 100),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (all, filter, only, usePostfilter, cacheBytes, limit, query) => {
          const { tenant, vectors, known } = await corpus(all, { cacheBytes });
          const vector = hashedVector(query.join(' '));
          const groups = only?.map((group) => `${tenant} ${group}`) ?? null;
          const seen = known.filter(({ page }) => only?.includes(page.group) ?? true);
          const shown = seen.filter(({ page }) => passes(page, filter));
          const cosines = (usePostfilter ? seen : shown).map((of) => cosine(of.vector, vector));
          const best = Math.max(0, ...cosines);
          // Equal texts are embedded once.
          const every = new Map(known.map((of) => [of.vector.join(), cosine(of.vector, vector)]));
          const expectedFloor = Math.max(0, Math.min(mean([...every.values()]), mean(cosines)));
          restricted += known.length - shown.length;
          for (const _ of ['cold', 'warm']) {
            const request = { model: 'hashed', vector, filter, limit, usePostfilter };
            const { ranked, floor, totalCandidates } = await vectors.index.rank(
              scope(tenant, groups),
              request,
            );
            expect(totalCandidates).toBe((usePostfilter ? seen : shown).length);
            expect(Math.abs(floor * best - (best > 0 ? expectedFloor : 0))).toBeLessThan(CLOSE);
            expect(ranked).toHaveLength(Math.min(limit, shown.length));
            const ids = new Set(shown.map(({ id }) => id));
            expect(ranked.filter(({ contentId }) => !ids.has(contentId))).toEqual([]);
            for (const [i, { contentId, score }] of ranked.entries()) {
              const of = shown.find(({ id }) => id === contentId);
              const expected = best > 0 ? Math.max(0, cosine(of!.vector, vector)) : 0;
              expect(Math.abs(score * best - expected)).toBeLessThan(CLOSE);
              expect(score).toBeLessThanOrEqual(ranked[i - 1]?.score ?? 1);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
    expect(restricted).toBeGreaterThan(20);
  });

  it('is fused with the words: both legs rank, under the same filter, and what only one finds is found', async () => {
    const page = { title: ['x'], group: 'a', fileType: 'html', at: 1_000 };
    const { tenant, vectors, known } = await corpus([
      { ...page, text: ['turbine', 'valves'] },
      { ...page, text: ['turbines'] },
      { ...page, text: ['apple'], fileType: 'pdf' },
      { ...page, text: ['turbine'], fileType: 'pdf' },
    ]);
    const vector = { model: 'hashed', vector: hashedVector('turbine') };
    const request = { query: 'turbine', limit: 10, filter: { fileTypes: ['html'] }, vector };
    const { results, totalCandidates } = await vectors.catalog.search(scope(tenant), request);
    expect(results.map(({ content }) => content.id).toSorted()).toEqual(
      [known[0]!.id, known[1]!.id].toSorted(),
    );
    for (const { score, ranks } of results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(ranks.vector).toBeGreaterThan(0);
      expect(ranks.keyword).toBeGreaterThan(0);
    }
    expect(totalCandidates).toBe(2);
    const alone = await vectors.catalog.search(scope(tenant), { ...request, query: 'zzz', filter: {} });
    expect(alone.results).toHaveLength(4);
    expect(alone.results.every(({ ranks }) => ranks.keyword === undefined)).toBe(true);
    const only = await vectors.catalog.search(scope(tenant), {
      ...request,
      vectorOnly: true,
      minScore: 0.99,
    });
    expect(only.results.map(({ ranks, score }) => [ranks, score])).toEqual([[{ vector: 1 }, 1]]);
  });

  it('follows what is written, hidden and moved while its vectors are in memory', async () => {
    const page = { title: ['x'], group: 'a', fileType: 'html', at: 1_000, text: ['apple'] };
    const { tenant, history, vectors } = await corpus([page]);
    const ranked = async () =>
      (
        await vectors.index.rank(scope(tenant), {
          model: 'hashed',
          vector: hashedVector('apple'),
          filter: {},
          limit: 9,
        })
      ).ranked.length;
    expect(await ranked()).toBe(1);
    const group = history.of(tenant, `${tenant} b`);
    await fixture.apply(group.indexed(`${tenant} new`, { chunks: ['pear', 'plum'] }));
    expect(await ranked()).toBe(1);
    await vectors.embedAll(createHashedEmbedder());
    expect(await ranked()).toBe(3);
    await fixture.apply(group.deletionRequested());
    expect(await ranked()).toBe(1);
  });

  it('knows no vectors of a model that has embedded nothing, and refuses a question of another length', async () => {
    const page = { title: ['x'], group: 'a', fileType: 'html', at: 1_000, text: ['apple'] };
    const { tenant, vectors } = await corpus([page]);
    const request = { model: 'unknown', vector: hashedVector('apple'), filter: {}, limit: 9 };
    expect(await vectors.index.rank(scope(tenant), request)).toEqual({
      ranked: [],
      floor: 0,
      totalCandidates: 0,
    });
    const short = { ...request, model: 'hashed', vector: Float32Array.of(1, 2) };
    await expect(vectors.index.rank(scope(tenant), short)).rejects.toThrow(/64 dimensions, not 2/);
  });
});
