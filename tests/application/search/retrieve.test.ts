import type { CatalogScope, ContentRecord } from '../../../application/ports/catalog.ts';
import type { RankedContent } from '../../../application/ports/search-engine.ts';
import { type Indexes, createRetrieve, rank } from '../../../application/search/retrieve.ts';
import type { SearchRequest } from '../../../application/search/retrieval-filter.ts';
import { describe, expect, it } from 'vitest';

const SCOPE: CatalogScope = { tenant: 't', only: null, access: null };

const MENTION =
  'Large reports are sorted on disk, unless work_mem is raised for the session that makes them.';

const DEFINITION = 'work_mem (integer)\n\nSets the memory that a sort may take.';

interface Asked {
  readonly limit: number;
  readonly minScore?: number;
}

const idsOf = (hits: readonly { readonly content: ContentRecord }[]): readonly string[] =>
  hits.map(({ content }) => content.id);

describe('a retrieval', () => {
  /** An index that ranks these texts as they come, each a little below the one before; one that is null is there no more. */
  const open = (
    texts: readonly (string | null)[],
    correctedQuery?: string,
    pageOf = (id: string) => id,
    titleOf = (_id: string) => 'Settings',
  ) => {
    const asked: Asked[] = [];
    const read: string[] = [];
    const scoreOf = (i: number): number => 1 - i * 0.01;
    const leg = {
      rank: async (_: CatalogScope, request: Asked) => {
        asked.push(request);
        const ranked = texts
          .map((_text, i) => ({ contentId: String(i), score: scoreOf(i) }))
          .filter(({ score }) => score >= (request.minScore ?? 0))
          .slice(0, request.limit);
        return {
          ranked,
          floor: 0,
          totalCandidates: texts.length,
          ...(correctedQuery !== undefined && { correctedQuery }),
        };
      },
    };
    const contents = {
      contentsById: async (_: CatalogScope, ids: readonly string[]) => {
        read.push(...ids);
        return ids.flatMap((id) => {
          const text = texts[Number(id)];
          const content = { id, title: titleOf(id), text, url: '', sourceId: pageOf(id) } as ContentRecord;
          return text === null ? [] : [content];
        });
      },
    };
    const retrieve = createRetrieve({ words: leg, vectors: leg, contents });
    const search = async (given: Partial<SearchRequest> = {}) =>
      (await retrieve(SCOPE, { query: 'work_mem', filter: {}, limit: 10, ...given })).results;
    return { asked, read, search };
  };

  const VECTOR_ONLY = { vector: { model: 'm', vector: Float32Array.of(1) }, vectorOnly: true };

  it('puts a definition before a mention, best first, with the positions of the retriever', async () => {
    const hits = await open([MENTION, 'Nothing of the kind.', DEFINITION]).search();
    expect(idsOf(hits)).toEqual(['2', '0', '1']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(hits.map(({ ranks }) => ranks.keyword)).toEqual([3, 1, 2]);
    expect(hits[0]?.features).toMatchObject({ retrieval: 0.98, definition: 0.5 });
  });

  it('puts the page whose title is the query first, with a score of at most 1', async () => {
    const titleOf = (id: string) => (id === '2' ? 'Sorting On Disk (Manual)' : 'Settings');
    const hits = await open([MENTION, MENTION, 'Nothing.'], undefined, undefined, titleOf).search({
      query: 'sorting on disk',
    });
    expect(idsOf(hits)[0]).toBe('2');
    expect(Math.max(...hits.map(({ score }) => score))).toBeLessThanOrEqual(1);
  });

  it('scores by the corrected query', async () => {
    const texts = ['Nothing of the kind.', 'The wolverine digs.'];
    expect(idsOf(await open(texts, 'wolverine').search({ query: 'wolvrine' }))).toEqual(['1', '0']);
  });

  it('keeps the order of vectors where they alone rank', async () => {
    const hits = await open([MENTION, 'Nothing of the kind.', DEFINITION]).search(VECTOR_ONLY);
    expect(idsOf(hits)).toEqual(['0', '1', '2']);
    expect(hits.every(({ features }) => features === undefined)).toBe(true);
  });

  it('returns the same first results whatever the limit', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? DEFINITION : MENTION));
    const few = idsOf(await open(texts).search({ limit: 3 }));
    const many = idsOf(await open(texts).search({ limit: 60 }));
    expect(many.slice(0, 3)).toEqual(few);
    expect(many).toHaveLength(60);
    expect(many.slice(30)).toEqual(Array.from({ length: 30 }, (_, i) => String(i + 30)));
  });

  it('compares the minimum score with the final score', async () => {
    const { search } = open([MENTION, 'Nothing.', DEFINITION]);
    const all = await search();
    const minScore = all[1]!.score;
    expect(idsOf(await search({ minScore }))).toEqual(['2', '0']);
    expect(idsOf(await search({ minScore: 1 }))).toEqual([]);
  });

  it('reads the first 30, and further ones only where they reach the minimum score', async () => {
    const texts = Array.from({ length: 90 }, () => 'sorting on disk');
    const strict = open(texts);
    await strict.search({ limit: 90, minScore: 0.9 });
    expect(strict.read).toHaveLength(30);
    const all = open(texts);
    await all.search({ limit: 90 });
    expect(all.read).toHaveLength(90);
  });

  it('puts a page with several hits before a single passage', async () => {
    const texts = ['reports on disk', 'disk reports', 'disk reports', 'disk reports'];
    const query = 'disk reports';
    const together = open(texts, undefined, (id) => (id === '0' ? 'single' : 'page'));
    expect(idsOf(await together.search({ query })).at(-1)).toBe('0');
  });

  it('leaves out what went in between', async () => {
    expect(idsOf(await open([MENTION, null, MENTION]).search())).toEqual(['0', '2']);
  });
});

const VECTOR = { model: 'm', vector: Float32Array.of(1) };

const FILTER = { fileTypes: ['pdf'] };

const of = (contentId: string, score: number): RankedContent => ({ contentId, score });

describe('the legs of a search', () => {
  /** Two indexes that answer this, and note what they are asked for. */
  const open = (
    byWords: readonly RankedContent[],
    byVector: readonly RankedContent[] = [],
    corrected: object = {},
  ) => {
    const asked: { readonly leg: string; readonly request: unknown }[] = [];
    const leg = (name: string, ranked: readonly RankedContent[], totalCandidates: number) => ({
      rank: async (_: CatalogScope, request: unknown) => {
        asked.push({ leg: name, request });
        return { ranked, totalCandidates };
      },
    });
    const wordLeg = leg('words', byWords, 5);
    const vectorLeg = leg('vectors', byVector, 9);
    const vectors: Indexes['vectors'] = {
      rank: async (scope, request) => ({ ...(await vectorLeg.rank(scope, request)), floor: 0.2 }),
    };
    const words: Indexes['words'] = {
      rank: async (scope, request) => ({ ...(await wordLeg.rank(scope, request)), ...corrected }),
    };
    const indexes = { words, vectors };
    return {
      asked,
      rank: (given: Partial<SearchRequest> = {}) =>
        rank(indexes, SCOPE, { query: 'q', filter: FILTER, limit: 2, usePostfilter: true, ...given }),
    };
  };

  it('are both with a vector, read 1,000 deep whatever the limit, and fused before the minimum counts', async () => {
    const legs = open([of('a', 1), of('b', 0.5)], [of('b', 1), of('c', 0.2)]);
    const { ranked, totalCandidates } = await legs.rank({ vector: VECTOR, minScore: 0.2 });
    expect(ranked.map(({ contentId, ranks }) => [contentId, ranks])).toEqual([
      ['b', { keyword: 2, vector: 1 }],
      ['a', { keyword: 1 }],
    ]);
    // 'c' lies at the floor of its leg.
    expect(ranked.map(({ score }) => score)).toEqual([expect.closeTo(0.75, 12), expect.closeTo(0.5, 12)]);
    expect(totalCandidates).toBe(9);
    const request = { query: 'q', filter: FILTER, limit: 1_000, usePostfilter: true };
    expect(legs.asked).toEqual([
      { leg: 'words', request },
      { leg: 'vectors', request: { ...request, ...VECTOR } },
    ]);
  });

  it('tell what was searched for instead, and hold a least score only where there is one', async () => {
    const rarities = [{ word: 'gizmo', rarity: 1 }];
    const legs = open([of('a', 1)], [of('b', 1)], { correctedQuery: 'wolverine', rarities });
    expect((await legs.rank({ vector: VECTOR })).correctedQuery).toBe('wolverine');
    expect((await legs.rank({ vector: VECTOR })).rarities).toEqual(rarities);
    expect((await legs.rank()).rarities).toEqual(rarities);
    expect((await legs.rank()).correctedQuery).toBe('wolverine');
    expect(legs.asked.some(({ request }) => 'minScore' in (request as object))).toBe(false);
    const found = await open([of('a', 1)], [of('b', 1)]).rank({ vector: VECTOR });
    expect('correctedQuery' in found).toBe(false);
  });
});
