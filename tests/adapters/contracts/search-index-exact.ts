import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access } from '../../../application/ports/catalog.ts';
import type { Ranking } from '../../../application/ports/search-engine.ts';
import { parseFilter } from '../../../domain/filter/parse-filter.ts';
import { referenceRanking } from '../../domain/ranking/reference-ranking.ts';
import { corpusIn, type Words } from './search-index-ranking.ts';
import { type OpenedEngine, sourceOf, tenantOf } from './search-index-world.ts';

/** Words that no stemmer changes. */
const word = fc.nat({ max: 30 }).map((n) => `w${Math.floor((n * n) / 30)}`);
const documents = fc.array(
  fc.record({
    title: fc.array(word, { maxLength: 4 }),
    text: fc.array(word, { minLength: 1, maxLength: 15 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const fruit = fc.constantFrom('apple', 'pear', 'plum', 'fig', 'kiwi');
const names = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      name: names,
      title: fc.array(fruit, { maxLength: 2 }),
      texts: fc.uniqueArray(fc.array(fruit, { minLength: 1, maxLength: 6 }), {
        maxLength: 3,
        selector: (text) => text.join(' '),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), name: names }) },
);

const expectRanked = (
  { ranked, totalCandidates }: Ranking,
  expected: ReturnType<typeof referenceRanking>,
): void => {
  expect(ranked.map(({ contentId }) => contentId)).toEqual(expected.map(({ id }) => id));
  expect(totalCandidates).toBe(expected.length);
  for (const [i, { score }] of ranked.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? -1, 8);
};

/** What an index promises beside the contract that ranks as `domain/ranking` does: the scores of its definition. */
export const exactRankingContract = (adapter: string, open: () => Promise<OpenedEngine>): void => {
  describe(`${adapter} ranks as it is defined`, { timeout: 120_000 }, () => {
    let opened: OpenedEngine;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    const corpus = (docs: readonly Words[], batchSize: number) => corpusIn(opened, docs, batchSize);

    it('agrees with BM25, title and feedback worked out over all documents', async () => {
      await fc.assert(
        fc.asyncProperty(documents, fc.array(word, { minLength: 1, maxLength: 9 }), async (docs, query) => {
          const { rank, reference } = await corpus(docs, 7);
          expectRanked(await rank(query.join(' ')), referenceRanking(reference, query));
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
          expectRanked(await rank(query.join(' ')), referenceRanking(reference, query));
        }),
        { numRuns: 12 },
      );
    });

    it('is of what the filter and the key let through, and takes feedback from nothing else', async () => {
      await fc.assert(
        fc.asyncProperty(documents, fc.array(word, { minLength: 1, maxLength: 4 }), async (docs, query) => {
          const { group, rank, reference, ids } = await corpus(docs, 9);
          const allowed = new Set(ids.filter((_, i) => i % 3 === 1));
          const expected = referenceRanking(reference, query, (id) => allowed.has(id));
          const byFilter = await rank(query.join(' '), { filter: { sourceGroupIds: [group('1')] } });
          const byKey = await rank(query.join(' '), {}, ['1']);
          expectRanked(byFilter, expected);
          expect(byKey).toEqual(byFilter);
        }),
        { numRuns: 20 },
      );
    });

    it('is ranked as if it had been written at once, whatever came and went before', async () => {
      let removed = 0;
      const told = fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(fruit, { minLength: 1, maxLength: 3 }),
        async (steps, query) => {
          const { tenant, write, remove, rank } = tenantOf(opened);
          const living = new Map<string, ReturnType<typeof documentsOf>>();
          for (const one of steps) {
            if (one.kind === 'remove') {
              removed += living.delete(one.name) ? 1 : 0;
              await remove(one.name);
              continue;
            }
            const { name, title, texts } = one;
            const document = { title: title.join(' '), texts: texts.map((text) => text.join(' ')) };
            await write(name, document);
            living.set(name, documentsOf(sourceOf(tenant, name, document)));
          }
          const expected = referenceRanking([...living.values()].flat(), query);
          expectRanked(await rank(query.join(' ')), expected);
        },
      );
      await fc.assert(told, { numRuns: 40 });
      expect(removed).toBeGreaterThan(5);
    });

    it('lets no word of what a policy denies into the feedback', async () => {
      const { write, found, scope } = tenantOf(opened);
      const sales = [{ key: 'department', val: 'sales', type: 'string' }] as const;
      const [asked] = await write('asked', { texts: ['falcon eagle'], metadata: sales });
      const [widened] = await write('widened', { texts: ['eagle'], metadata: sales });
      // Its words would bring the next one in.
      await write('denied', {
        texts: ['falcon falcon kestrel kestrel'],
        metadata: [{ key: 'department', val: 'legal', type: 'string' }],
      });
      await write('by denied words', { texts: ['kestrel'], metadata: sales });
      const access: Access = {
        sources: parseFilter({ filters: [{ key: 'department', operator: 'eq', val: 'sales' }] }, new Map()),
        chunks: { kind: 'group', logic: 'AND', parts: [] },
      };
      expect(await found('falcon', {}, { ...scope(), access })).toEqual([asked, widened]);
    });
  });
};

/** The words of each content, as the definition of a ranking takes them. */
const documentsOf = ({ title, contents }: ReturnType<typeof sourceOf>) =>
  contents.map(({ id, text }) => ({
    id,
    title: title === '' ? [] : title.split(' '),
    text: text.split(' '),
  }));
