import type { CatalogScope, ContentRecord } from '../../../application/ports/catalog.ts';
import type { RankedContent } from '../../../application/ports/search-index.ts';
import { type Indexes, createRetrieve, rank } from '../../../application/search/retrieve.ts';
import type { SearchRequest } from '../../../application/search/retrieval-filter.ts';
import { LOOKED_AT, leastBefore } from '../../../domain/ranking/closer-look.ts';
import { PAGES_OF } from '../../../domain/ranking/page-evidence.ts';
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
    const retrieve = createRetrieve({ searchIndex: leg, vectorIndex: leg, contents });
    const search = async (given: Partial<SearchRequest> = {}) =>
      (await retrieve(SCOPE, { query: 'work_mem', filter: {}, limit: 10, ...given })).results;
    return { asked, read, search };
  };

  it('puts what defines the subject of a short query before what mentions it', async () => {
    const hits = await open([MENTION, 'Nothing of the kind.', DEFINITION]).search();
    expect(idsOf(hits)).toEqual(['2', '0', '1']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(hits.map(({ ranks }) => ranks.keyword)).toEqual([3, 1, 2]);
  });

  it('puts an index behind what explains, unless its page is called like the query', async () => {
    const index = Array.from({ length: 20 }, (_, i) => `tape_${i} | Reels ${i}`).join('\n');
    const texts = [index, 'A reel takes tape_3, as others do. It is wound by hand.'];
    const hits = await open(texts).search({ query: 'tape_3' });
    expect(idsOf(hits)).toEqual(['1', '0']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const called = open(texts, undefined, undefined, (id) => (id === '0' ? 'Index of Tapes' : 'Reels'));
    expect(idsOf(await called.search({ query: 'index of tapes' }))[0]).toBe('0');
  });

  it('puts what has a name with its sign before what has the word', async () => {
    const texts = ['A reel. The reel is round, and a reel turns.', 'It is wound as \\reel says.'];
    expect(idsOf(await open(texts).search({ query: '\\reel' }))).toEqual(['1', '0']);
    expect(idsOf(await open(texts).search({ query: 'reel' }))).toEqual(['0', '1']);
    const vector = { model: 'm', vector: Float32Array.of(1) };
    expect(idsOf(await open(texts).search({ query: '\\reel', vector, vectorOnly: true }))[0]).toBe('0');
  });

  it('puts what is like other good hits before what is like none, for long queries without vectors', async () => {
    const texts = [
      'Bodies glow brightly, as seen before.',
      'Heat reaches the wing at speed, and its skin bends under load.',
      'At speed heat reaches the skin of a wing that bends under load.',
    ];
    const query = 'heat load bending skin wing speed altitude';
    const vector = { model: 'm', vector: Float32Array.of(1) };
    const hits = await open(texts).search({ query });
    expect(idsOf(hits)).toEqual(['1', '2', '0']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(idsOf(await open(texts).search({ query, vector }))).toEqual(['0', '1', '2']);
  });

  it('puts a page that is called like the query first, unless vectors alone rank', async () => {
    const titleOf = (id: string) => (id === '2' ? 'Sorting On Disk (Manual)' : 'Settings');
    const { search } = open([MENTION, MENTION, 'Nothing.'], undefined, undefined, titleOf);
    const hits = await search({ query: 'sorting on disk' });
    expect(idsOf(hits)[0]).toBe('2');
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[0]).toBe(1);
    const vector = { model: 'm', vector: Float32Array.of(1) };
    expect(idsOf(await search({ query: 'sorting on disk', vector, vectorOnly: true }))[0]).toBe('0');
  });

  it('puts what defines a name in the query before what has its other words, unless vectors alone rank', async () => {
    const texts = [
      'Waiting takes a unit of time. The unit is what all units are measured by.',
      `TAPETIME\n\nThe time that a reel waits for the next, in hundredths of seconds.`,
    ];
    const { search } = open(texts);
    const query = 'What unit does TAPETIME have?';
    const found = await search({ query });
    expect(idsOf(found)).toEqual(['1', '0']);
    expect(found[0]!.score).toBeLessThanOrEqual(1);
    const vector = { vector: { values: [1], model: 'm' } } as unknown as Partial<SearchRequest>;
    expect(idsOf(await search({ query, ...vector, vectorOnly: true }))).toEqual(['0', '1']);
  });

  it('looks at texts that are not in several pages already', async () => {
    const same = Array.from({ length: LOOKED_AT }, () => MENTION);
    const hits = await open([...same, DEFINITION]).search({ query: 'memory of a sort', limit: 50 });
    expect(idsOf(hits).slice(0, 3)).toEqual([String(LOOKED_AT), '0', '1']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    const one = await open([...same, DEFINITION], undefined, () => 'page').search({
      query: 'memory of a sort',
      limit: 50,
    });
    expect(idsOf(one).at(-1)).toBe(String(LOOKED_AT));
    const named = await open([...same, DEFINITION]).search({ query: 'work_mem', limit: 50 });
    expect(idsOf(named).at(-1)).toBe(String(LOOKED_AT));
  });

  it('holds a least score against what a hit has in the end', async () => {
    const { search } = open([MENTION, 'Nothing.', DEFINITION]);
    const all = await search();
    const hits = await search({ minScore: 0.93 });
    expect(hits).toEqual(all.filter(({ score }) => score >= 0.93));
    expect(idsOf(hits)).toEqual(['2']);
  });

  it('reads no further than a least score allows, and the first whatever they score', async () => {
    const texts = Array.from({ length: 90 }, () => 'sorting on disk');
    const { read, search } = open(texts);
    await search({ query: 'disk sorting', limit: 90, minScore: 0.75 });
    const least = leastBefore(leastBefore(leastBefore(leastBefore(0.75, 0.6), 0.2), 0.2), 0.3);
    const reaching = texts.filter((_, i) => 1 - i * 0.01 >= least).length;
    expect(reaching).toBeGreaterThan(PAGES_OF);
    expect(reaching).toBeLessThan(90);
    expect(read).toHaveLength(reaching);
    const strict = open(texts);
    await strict.search({ query: 'disk sorting', limit: 90, minScore: 1 });
    expect(strict.read).toHaveLength(PAGES_OF);
  });

  it('puts a page with much of what is asked for before a single passage', async () => {
    const texts = ['reports on disk', 'disk reports', 'disk reports', 'disk reports'];
    const alone = open(texts, undefined, (id) => id);
    expect(idsOf(await alone.search({ query: 'reports' }))[0]).toBe('0');
    const together = open(texts, undefined, (id) => (id === '0' ? 'single' : 'page'));
    expect(idsOf(await together.search({ query: 'reports' }))).toEqual(['1', '2', '3', '0']);
    const long = 'reports sorted hashed joined merged spilled written';
    expect(idsOf(await together.search({ query: long }))).toEqual(['1', '2', '3', '0']);
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
    const words = leg('words', byWords, 5);
    const vectors = leg('vectors', byVector, 9);
    const vectorIndex: Indexes['vectorIndex'] = {
      rank: async (scope, request) => ({ ...(await vectors.rank(scope, request)), floor: 0.2 }),
    };
    const searchIndex: Indexes['searchIndex'] = {
      rank: async (scope, request) => ({ ...(await words.rank(scope, request)), ...corrected }),
    };
    const indexes = { searchIndex, vectorIndex };
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
    const unwritten = [{ word: 'gizmo', isOfLanguage: false }];
    const legs = open([of('a', 1)], [of('b', 1)], { correctedQuery: 'wolverine', unwritten });
    expect((await legs.rank({ vector: VECTOR })).correctedQuery).toBe('wolverine');
    expect((await legs.rank({ vector: VECTOR })).unwritten).toEqual(unwritten);
    expect((await legs.rank()).unwritten).toEqual(unwritten);
    expect((await legs.rank()).correctedQuery).toBe('wolverine');
    expect(legs.asked.some(({ request }) => 'minScore' in (request as object))).toBe(false);
    const found = await open([of('a', 1)], [of('b', 1)]).rank({ vector: VECTOR });
    expect('correctedQuery' in found).toBe(false);
  });
});
