import { describe, expect, it } from 'vitest';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { ContentRecord } from '../../../application/ports/contents.ts';
import { createRetrieve } from '../../../application/retrieval/retrieve.ts';
import type { SearchRequest } from '../../../application/retrieval/search-request.ts';
import { LOOKED_AT } from '../../../domain/ranking/closer-look.ts';

const SCOPE: CatalogScope = { tenant: 't', only: null, access: null };
const MENTION =
  'Large reports are sorted on disk, unless work_mem is raised for the session that makes them.';
const DEFINITION = 'work_mem (integer)\n\nSets the memory that a sort may take.';

interface Asked {
  readonly limit: number;
  readonly minScore?: number;
}

/** An index that ranks these texts as they come, each a little below the one before. */
const open = (texts: readonly string[], correctedQuery?: string) => {
  const asked: Asked[] = [];
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
    contentsById: async (_: CatalogScope, ids: readonly string[]) =>
      ids.map((id) => ({ id, title: 'Settings', text: texts[Number(id)] }) as ContentRecord),
  };
  const retrieve = createRetrieve({ searchIndex: leg, vectorIndex: leg, contents });
  const search = async (given: Partial<SearchRequest> = {}) =>
    (await retrieve(SCOPE, { query: 'work_mem', filter: {}, limit: 10, ...given })).results;
  return { asked, search };
};
const idsOf = (hits: readonly { readonly content: ContentRecord }[]): readonly string[] =>
  hits.map(({ content }) => content.id);

describe('a retrieval', () => {
  it('puts what defines the subject of a short query before what mentions it', async () => {
    const hits = await open([MENTION, 'Nothing of the kind.', DEFINITION]).search();
    expect(idsOf(hits)).toEqual(['2', '0', '1']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(hits.map(({ ranks }) => ranks.keyword)).toEqual([3, 1, 2]);
  });

  it('leaves long queries, and what is ranked by vectors alone, as they are', async () => {
    const { search } = open([MENTION, DEFINITION]);
    const query = 'work_mem sorting hashing joining merging spilling writing reading temporary files';
    expect(idsOf(await search({ query }))).toEqual(['0', '1']);
    const vector = { model: 'm', vector: Float32Array.of(1) };
    expect(idsOf(await search({ vector, vectorOnly: true }))).toEqual(['0', '1']);
    expect((await search({ vector, vectorOnly: true }))[0]?.score).toBe(1);
  });

  it('looks at as many hits however few are wanted, and no further', async () => {
    const behind = [...Array.from({ length: LOOKED_AT }, () => MENTION), DEFINITION];
    expect(idsOf(await open([MENTION, MENTION, DEFINITION]).search({ limit: 1 }))).toEqual(['2']);
    const { asked, search } = open(behind);
    expect(idsOf(await search({ limit: 50 })).at(-1)).toBe(String(LOOKED_AT));
    expect(asked[0]?.limit).toBe(50);
  });

  it('holds a least score against what a hit has in the end', async () => {
    const { asked, search } = open([MENTION, 'Nothing.', DEFINITION]);
    const all = await search();
    const hits = await search({ minScore: 0.93 });
    expect(hits).toEqual(all.filter(({ score }) => score >= 0.93));
    expect(idsOf(hits)).toEqual(['2']);
    expect(asked[1]?.minScore).toBeCloseTo(0.93 * 1.4 - 0.4, 12);
  });

  it('looks by the corrected query', async () => {
    const { search } = open([MENTION, DEFINITION], 'work_mem');
    expect(idsOf(await search({ query: 'wrok_mem' }))).toEqual(['1', '0']);
  });
});
