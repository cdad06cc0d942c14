import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../../../application/search/retrieval-filter.ts';
import { embeddedText } from '../../../../application/search/embedding/embed-pending.ts';
import { cosine, createHashedEmbedder, hashedVector } from '../../../support/embedding/hashed-embedder.ts';
import { documentSets, policySets } from '../catalog/access-arbitraries.ts';
import { accessOf, type AllowedDocument, documentsOf, textsOf } from '../catalog/access-documents.ts';
import { type CatalogFixture, openCatalog } from '../catalog/catalog-fixture.ts';
import { openVectors } from './embedding-fixture.ts';

/** A byte per dimension: how far a cosine may be off. */
const CLOSE = 0.015;
const QUESTION = hashedVector('turbine 1 2 turns');

const request = (given: Partial<SearchRequest>): SearchRequest => ({
  query: 'turbine',
  filter: {},
  limit: 100,
  vector: { model: 'hashed', vector: QUESTION },
  ...given,
});
const PDF = { filter: { fileTypes: ['pdf'] } };
/** By vectors alone and fused, filtered before and after. */
const REQUESTS = [true, false].flatMap((vectorOnly) => [
  request({ vectorOnly }),
  request({ vectorOnly, ...PDF }),
  request({ vectorOnly, ...PDF, usePostfilter: true }),
  request({ vectorOnly, limit: 2 }),
]);

interface Likeness {
  readonly text: string;
  readonly fileType: string;
  readonly cosine: number;
}
const likenessOf = (documents: readonly AllowedDocument[]): readonly Likeness[] =>
  documents.flatMap(({ title, fileType, seen }) =>
    seen.map(({ heading, text }) => {
      const vector = hashedVector(embeddedText({ title, headings: [heading], text }));
      return { text, fileType, cosine: Math.max(0, cosine(vector, QUESTION)) };
    }),
  );
const greatest = (those: readonly Likeness[]): number => Math.max(0, ...those.map((of) => of.cosine));

/** What a policy denies is nothing to an index over vectors: it is neither found nor counted, and moves no score. */
describe('what a policy allows, by vectors', { timeout: 240_000 }, () => {
  let fixture: CatalogFixture;
  beforeAll(async () => {
    fixture = await openCatalog();
  });
  afterAll(() => fixture?.close());
  const openBoth = () => [1e9, 0].map((cacheBytes) => openVectors(fixture, { cacheBytes }));

  it('is all that a search finds, counts and measures by, from memory and from the tables', async () => {
    const reached = { something: 0, parts: 0 };
    const searched = fc.asyncProperty(documentSets, policySets(3), async (raw, policies) => {
      const { tenant, documents, write } = documentsOf(fixture, raw);
      await write(documents);
      const both = openBoth();
      await both[0]!.embedAll(createHashedEmbedder());
      for (const policy of policies) {
        const { of, allowed } = accessOf(tenant, documents, policy);
        const every = likenessOf(allowed);
        if (every.length > 0) reached.something += 1;
        if (allowed.some(({ seen, chunks }) => seen.length < chunks.length)) reached.parts += 1;
        for (const asked of REQUESTS) {
          const wanted = asked.filter.fileTypes;
          const shown = every.filter(({ fileType }) => wanted?.includes(fileType) ?? true);
          const ranked = asked.usePostfilter === true ? every : shown;
          for (const { catalog } of both) {
            const { results, totalCandidates } = await catalog.search(of, asked);
            expect(totalCandidates).toBe(ranked.length);
            expect(results).toHaveLength(Math.min(asked.limit, shown.length));
            const texts = textsOf(results.map(({ content }) => content));
            expect(textsOf(shown)).toEqual(expect.arrayContaining([...texts]));
            const best = greatest(ranked);
            for (const { content, score } of asked.vectorOnly === true ? results : []) {
              const like = shown.find(({ text }) => text === content.text);
              expect(Math.abs(score * best - (like?.cosine ?? NaN))).toBeLessThan(CLOSE);
            }
          }
        }
      }
    });
    await fc.assert(searched, { numRuns: 8, endOnFailure: true });
    expect(Math.min(reached.something, reached.parts)).toBeGreaterThan(0);
  });

  it('has the same scores and ranks after what is denied was added', async () => {
    let added = 0;
    const compared = fc.asyncProperty(documentSets, policySets(0), async (raw, [policy]) => {
      const { tenant, documents, write } = documentsOf(fixture, raw);
      const { of, allowed } = accessOf(tenant, documents, policy!);
      const found = async () => {
        const both = openBoth();
        await both[0]!.embedAll(createHashedEmbedder());
        const answers = [];
        for (const { catalog } of both)
          for (const asked of REQUESTS.filter(({ vectorOnly }) => vectorOnly === true)) {
            const { results, totalCandidates } = await catalog.search(of, asked);
            const rows = results.map(({ content, score, ranks }) => ({ text: content.text, score, ranks }));
            answers.push({ rows, totalCandidates });
          }
        return answers;
      };
      await write(allowed.map((document) => ({ ...document, chunks: document.seen })));
      const before = await found();
      await write(documents);
      added += documents.flatMap(({ chunks }) => chunks).length - likenessOf(allowed).length;
      expect(await found()).toEqual(before);
    });
    await fc.assert(compared, { numRuns: 20, endOnFailure: true });
    expect(added).toBeGreaterThan(0);
  });
});
