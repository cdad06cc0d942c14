import { unlimitedAccess } from '../../../application/access/authz/access.ts';
import type { Caller } from '../../../application/access/caller.ts';
import type { Catalog, ContentRecord } from '../../../application/ports/catalog.ts';
import type { Coverage } from '../../../application/ports/search-engine.ts';
import type { SearchResponse } from '../../../application/search/rerank-results.ts';
import { createSearchOperations } from '../../../application/search/operations.ts';
import { type Search, createQuestionVector, modelFor } from '../../../application/search/plan-search.ts';
import { createRerankResults } from '../../../application/search/rerank-results.ts';
import { type SearchRequest, filterAsWritten } from '../../../application/search/retrieval-filter.ts';
import type { Retrieve } from '../../../application/search/retrieve.ts';
import {
  type RetrieveSerialised,
  createHighlight,
  createRetrieveSerialised,
  createSerialiseResults,
  createSerialisedSearch,
} from '../../../application/search/serialised-search.ts';
import { createHashedEmbedder } from '../../support/embedding/hashed-embedder.ts';
import { silent } from '../../support/silent.ts';
import { describe, expect, it } from 'vitest';

/** Each word is its own term, without the s at its end; "the" is none. */
const plainTerms = async (words: readonly string[]) =>
  words.map((word) => (word === 'the' ? '' : word.replace(/s$/, '')));

const of = (model: string, share: number): Coverage => ({ model, share, dimensions: 64 });

describe('search operations', () => {
  const CALLER = { tenant: 't', grant: { sourceGroupIds: null } } as unknown as Caller;

  const SEARCH: Search = {
    query: 'q',
    mode: 'hybrid',
    limit: 2,
    rerank: false,
    usePostfilter: false,
    filter: {},
  };

  /** Operations over a retrieval that finds texts one to four, whatever is asked. */
  const open = (
    coverage: readonly Coverage[],
    rerank?: (texts: readonly string[]) => Promise<readonly number[]>,
  ) => {
    const asked: SearchRequest[] = [];
    const provider = { fails: false, calls: 0, models: [] as string[], now: 0 };
    const named = (model: string) => ({
      ...createHashedEmbedder(model),
      embed: async (texts: readonly string[], kind: 'document' | 'query', signal: AbortSignal) => {
        provider.calls += 1;
        provider.models.push(model);
        if (provider.fails) throw new Error('down');
        return createHashedEmbedder(model).embed(texts, kind, signal);
      },
    });
    const retrieve: Retrieve = async (_, request) => {
      asked.push(request);
      const results = ['one', 'two', 'three', 'four'].map((text) => ({
        content: { title: '', text } as ContentRecord,
        score: 0.5,
        ranks: {},
      }));
      return { results: results.slice(0, request.limit), totalCandidates: 4 };
    };
    const timeout = () => new AbortController().signal;
    const operations = createSearchOperations({
      accessTo: unlimitedAccess,
      retrieve,
      catalog: {} as Catalog,
      ids: { newId: () => 'id' },
      questionVector: createQuestionVector({
        vectors: { coverage: async () => coverage },
        embedders: { current: named('new'), named },
        clock: { now: () => provider.now },
        log: silent,
        timeout,
      }),
      rerankResults:
        rerank === undefined
          ? null
          : createRerankResults({
              reranker: { rerank: async (_, texts) => rerank(texts) },
              clock: { now: () => provider.now },
              log: silent,
              timeout,
            }),
    });
    return {
      asked,
      provider,
      search: (search: Partial<Search> = {}) => operations.search(CALLER, { ...SEARCH, ...search }),
    };
  };

  describe('the mode of a search', () => {
    it('is what was asked where vectors are there, and keyword asks the provider nothing', async () => {
      const { search, asked, provider } = open([of('new', 1)]);
      expect((await search()).mode).toBe('hybrid');
      expect((await search({ mode: 'vector' })).mode).toBe('vector');
      expect((await search({ mode: 'keyword' })).mode).toBe('keyword');
      expect(provider.calls).toBe(2);
      expect(asked.map(({ vector, vectorOnly }) => [vector?.model, vectorOnly])).toEqual([
        ['new', false],
        ['new', true],
        [undefined, undefined],
      ]);
    });

    it('is keyword where too little is embedded, and the provider is not asked', async () => {
      const { search, provider } = open([of('new', 0.4)]);
      expect((await search()).mode).toBe('keyword');
      expect((await search({ mode: 'vector' })).mode).toBe('keyword');
      expect(provider.calls).toBe(0);
    });

    it('comes with how far the current model is, but with keyword or without a provider', async () => {
      const { search } = open([of('new', 0.4), of('old', 1)]);
      expect(await search()).toMatchObject({ mode: 'hybrid', embeddedShare: 0.4 });
      expect(await search({ mode: 'keyword' })).not.toHaveProperty('embeddedShare');
      const begun = open([]);
      expect(await begun.search({ mode: 'vector' })).toMatchObject({ mode: 'keyword', embeddedShare: 0 });
      const failing = open([of('new', 0.95)]);
      failing.provider.fails = true;
      expect(await failing.search()).toMatchObject({ mode: 'keyword', embeddedShare: 0.95 });
      const { results: _, ...bare } = await createSearchOperations({
        retrieve: async () => ({ results: [], totalCandidates: 0 }),
        catalog: {} as Catalog,
        ids: { newId: () => 'id' },
        accessTo: unlimitedAccess,
      }).search(CALLER, SEARCH);
      expect(bare).not.toHaveProperty('embeddedShare');
    });

    it('is keyword where the provider fails, which is then left alone for ten seconds', async () => {
      const { search, provider } = open([of('new', 1)]);
      provider.fails = true;
      expect((await search()).mode).toBe('keyword');
      expect((await search({ mode: 'vector' })).mode).toBe('keyword');
      expect(provider.calls).toBe(1);
      Object.assign(provider, { fails: false, now: 10_000 });
      expect((await search()).mode).toBe('hybrid');
    });

    it('is keyword where the question has another length than the texts', async () => {
      const { search } = open([{ ...of('new', 1), dimensions: 32 }]);
      expect((await search()).mode).toBe('keyword');
    });

    it('is refused as not configured without a provider, or without a reranker', async () => {
      const bare = createSearchOperations({
        retrieve: async () => ({ results: [], totalCandidates: 0 }),
        catalog: {} as Catalog,
        ids: { newId: () => 'id' },
        accessTo: unlimitedAccess,
      });
      const refused = [
        [{ mode: 'vector' as const }, 'vector search needs an embedding provider'],
        [{ rerank: true }, 'rerank needs a reranker'],
      ] as const;
      for (const [search, message] of refused)
        await expect(bare.search(CALLER, { ...SEARCH, ...search })).rejects.toMatchObject({
          code: 'not_configured',
          message: expect.stringContaining(message) as string,
        });
      expect((await bare.search(CALLER, SEARCH)).mode).toBe('keyword');
    });
  });

  describe('the model that answers', () => {
    it.each([
      ['the wanted one, complete enough', [of('new', 0.9), of('old', 1)], 'new'],
      ['the one before, until then', [of('new', 0.89), of('old', 1)], 'old'],
      ['the wanted one, where it has more', [of('new', 0.6), of('old', 0.55)], 'new'],
      ['the wanted one, where both have as much', [of('old', 0.7), of('new', 0.7)], 'new'],
      ['none, where none has half', [of('new', 0.49), of('old', 0.3)], undefined],
      ['none, where nothing is embedded', [], undefined],
    ])('is %s', (_, coverage, expected) => {
      expect(modelFor(coverage, 'new')?.model).toBe(expected);
    });
  });

  describe('reranking', () => {
    const byLength = async (texts: readonly string[]) => texts.map((text) => text.length / 10);

    it('puts the first fifty into the order of the reranker, whose scores count', async () => {
      const { search, asked } = open([], byLength);
      const { results, reranked } = await search({ rerank: true });
      expect(reranked).toBe(true);
      expect((await search()).reranked).toBe(false);
      expect(asked[0]?.limit).toBe(50);
      expect(results.map(({ content, score }) => [content.text, score])).toEqual([
        ['three', 0.6],
        ['four', 0.5],
      ]);
      expect((await search({ rerank: true, minScore: 0.55 })).results).toHaveLength(1);
    });

    it('leaves the ranking as it is when the reranker fails, says so, and does not ask it for ten seconds', async () => {
      let calls = 0;
      let fails = true;
      const { search, asked, provider } = open([], async (texts) => {
        calls += 1;
        return fails ? Promise.reject(new Error('down')) : byLength(texts);
      });
      const { results, reranked } = await search({ rerank: true, minScore: 0.3 });
      expect(results.map(({ content }) => content.text)).toEqual(['one', 'two']);
      expect(reranked).toBe(false);
      expect(asked.at(-1)).toMatchObject({ limit: 2, minScore: 0.3 });

      fails = false;
      expect((await search({ rerank: true, minScore: 0.3 })).reranked).toBe(false);
      expect(asked.at(-1)).toMatchObject({ limit: 2, minScore: 0.3 });
      expect(calls).toBe(1);
      provider.now = 10_000;
      expect((await search({ rerank: true })).reranked).toBe(true);
    });
  });

  describe('the query of a search', () => {
    it('is ranked without its quotes and what it excludes, and as it is where it has no syntax', async () => {
      const { search, asked } = open([]);
      const query = '"four" words -two';
      const found = await search({ query, syntax: true, limit: 4 });
      expect(found.results.map(({ content }) => content.text)).toEqual(['four']);
      expect(found.totalCandidates).toBe(1);
      expect(await search({ query: '"nobody has this"', syntax: true, limit: 4 })).toMatchObject({
        results: [],
        totalCandidates: 0,
      });
      asked.length = 1;
      expect(await search({ query, limit: 4 })).toMatchObject({ results: { length: 4 } });
      expect(asked.map((one) => one.query.trim().split(/\s+/))).toEqual([
        ['four', 'words'],
        ['"four"', 'words', '-two'],
      ]);
      expect(asked.map(({ limit }) => limit)).toEqual([1_000, 4]);
    });

    it('of stop words alone is a phrase, but for a vector, which knows what they mean together', async () => {
      const { search } = open([of('new', 1)]);
      const found = async (more: Partial<Search>) =>
        (await search({ query: 'to be', syntax: true, limit: 4, ...more })).results.length;
      expect([await found({ mode: 'keyword' }), await found({})]).toEqual([0, 4]);
      expect(await found({ mode: 'keyword', syntax: false })).toBe(4);
    });
  });

  describe('a query by filters alone', () => {
    it('is read from the catalog as the caller may read it', async () => {
      const asked: unknown[] = [];
      const page = { rows: [], hasMore: false, total: 0 };
      const catalog = {
        metadataTypes: async () => new Map(),
        query: async (...wanted: unknown[]) => {
          asked.push(wanted);
          return page;
        },
      } as unknown as Catalog;
      const { query } = createSearchOperations({
        retrieve: async () => ({ results: [], totalCandidates: 0 }),
        catalog,
        ids: { newId: () => 'id' },
        accessTo: unlimitedAccess,
      });
      const request = { filter: { fileTypes: ['pdf'] }, sort: 'title', page: { limit: 5 } } as const;
      expect(await query(CALLER, request)).toBe(page);
      const filter = { fileTypes: ['pdf'], sourceMetadata: [], chunkMetadata: [] };
      expect(asked).toEqual([
        [
          { tenant: 't', only: null, access: null },
          { ...request, filter },
        ],
      ]);
    });
  });
});

describe('highlights', () => {
  it('are the places of the words of a query in any form, and not of stop words', async () => {
    const asked: string[][] = [];
    const highlight = createHighlight(async (words) => {
      asked.push([...words]);
      return plainTerms(words);
    });
    const texts = ['The falcons', 'a Falcon and the false one', 'nothing'];
    const found = await highlight('the falcon', texts);
    expect(found.map((places, i) => places.map(({ start, end }) => texts[i]?.slice(start, end)))).toEqual([
      ['falcons'],
      ['Falcon'],
      [],
    ]);
    // Words that begin otherwise cannot be forms of these, and are not asked for: `the` is none of what is looked for.
    expect(asked[1]?.toSorted()).toEqual(['falcon', 'falcons', 'false']);
  });

  it('are none for a query of stop words, and nobody is asked about the texts', async () => {
    let calls = 0;
    const highlight = createHighlight(async (words) => {
      calls += 1;
      return plainTerms(words);
    });
    expect(await highlight('the', ['the text'])).toEqual([[]]);
    expect(calls).toBe(1);
  });
});

const hit = (text: string, i: number) => ({
  content: { id: String(i), sourceId: String(i), title: '', text } as ContentRecord,
  score: 1 / (i + 1),
  ranks: { keyword: i + 1 },
});

const serialise = createSerialiseResults(
  async (words) => words.map((word) => word.replace(/s$/, '')),
  (found: SearchResponse, places) => Buffer.from(JSON.stringify({ ...found, places })),
);

const told = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes).toString()) as SearchResponse & { places: unknown };

describe('written search', () => {
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

  const open = (hasReranker = true) => {
    const retrieveSerialised: RetrieveSerialised = createRetrieveSerialised({
      retrieve: async () => ({
        results: ['a blue sky', 'blue', 'blue skies, a sky', 'sky blue'].map(hit),
        totalCandidates: 4,
        correctedQuery: 'blue sky',
      }),
      serialise,
    });
    const reranked = {
      results: [hit('sky', 0)],
      totalCandidates: 9,
      mode: 'hybrid',
      reranked: true,
    } as const;
    return createSerialisedSearch({
      search: async () => ({ ...reranked, queryId: 'reranked' }),
      retrieveSerialised,
      serialise,
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
      totalCandidates: 3,
      correctedQuery: 'blue sky',
    });
  });
});

it('the filter of a request is kept under the names that callers use', () => {
  const [team, page] = [{ filters: [{ key: 'team' }] }, { filters: [{ key: 'page' }] }];
  const filter = {
    domains: ['example.com'],
    onSources: [
      { name: 'metadata', raw: team },
      { name: 'source_metadata', raw: page },
    ],
    onChunks: [{ name: 'metadata_filter', raw: page }],
  };
  expect(filterAsWritten(filter)).toEqual({
    domains: ['example.com'],
    metadata: team,
    source_metadata: page,
    metadata_filter: page,
  });
  expect(Object.keys(filterAsWritten({ domains: ['example.com'] }))).toEqual(['domains']);
});
