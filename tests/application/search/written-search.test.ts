import { expect, it } from 'vitest';
import { unlimitedAccess } from '../../../application/access/authz/access.ts';
import type { Catalog, ContentRecord } from '../../../application/ports/catalog.ts';
import type { Caller } from '../../../application/access/caller.ts';
import type { Found } from '../../../application/search/found.ts';
import type { Search } from '../../../application/search/plan-search.ts';
import {
  createRetrieveWritten,
  createWriteResults,
  type RetrieveWritten,
} from '../../../application/search/written-results.ts';
import { createWrittenSearch } from '../../../application/search/written-search.ts';

const CALLER = { tenant: 't', grant: { scopes: [], sourceGroupIds: null } } as unknown as Caller;
const SEARCH: Search = {
  query: 'blue "sky"',
  mode: 'hybrid',
  limit: 2,
  rerank: false,
  usePostfilter: false,
  filter: {},
  collapse: 'source',
  syntax: true,
};
const hit = (text: string, i: number) => ({
  content: { id: String(i), sourceId: String(i), title: '', text } as ContentRecord,
  score: 1 / (i + 1),
  ranks: { keyword: i + 1 },
});
const write = createWriteResults(
  async (words) => words.map((word) => word.replace(/s$/, '')),
  (found: Found, places) => Buffer.from(JSON.stringify({ ...found, places })),
);
const told = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Found & { places: unknown };

const open = (hasReranker = true) => {
  const retrieveWritten: RetrieveWritten = createRetrieveWritten({
    retrieve: async () => ({
      results: ['a blue sky', 'blue', 'blue skies, a sky', 'sky blue'].map(hit),
      totalCandidates: 4,
      correctedQuery: 'blue sky',
    }),
    write,
  });
  const reranked = { results: [hit('sky', 0)], totalCandidates: 9, mode: 'hybrid', reranked: true } as const;
  return createWrittenSearch({
    search: async () => ({ ...reranked, queryId: 'reranked' }),
    retrieveWritten,
    write,
    ids: { newId: () => 'id' },
    catalog: {} as Catalog,
    accessTo: unlimitedAccess,
    hasReranker,
  });
};

it('is arranged and written where it is found, with the places of the words that were searched for', async () => {
  const { results, places, ...rest } = told(await open()(CALLER, SEARCH));
  expect(results.map(({ content }) => content.text)).toEqual(['a blue sky', 'blue skies, a sky']);
  expect(places).toEqual([
    [
      { start: 2, end: 6 },
      { start: 7, end: 10 },
    ],
    [
      { start: 0, end: 4 },
      { start: 14, end: 17 },
    ],
  ]);
  expect(rest).toEqual({
    queryId: 'id',
    mode: 'keyword',
    reranked: false,
    totalCandidates: 4,
    correctedQuery: 'blue sky',
  });
});

it('is written as the reranker has put it, where one is asked', async () => {
  const { results, queryId, reranked } = told(await open()(CALLER, { ...SEARCH, rerank: true }));
  expect({ texts: results.map(({ content }) => content.text), queryId, reranked }).toEqual({
    texts: ['sky'],
    queryId: 'reranked',
    reranked: true,
  });
});
