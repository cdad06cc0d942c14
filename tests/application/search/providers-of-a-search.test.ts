import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../application/ports/language-model.ts';
import type { ContentRecord } from '../../../application/ports/catalog.ts';
import type { Coverage } from '../../../application/ports/vector-index.ts';
import { createQuestionVector, modelFor } from '../../../application/search/question-vector.ts';
import { createRerankResults } from '../../../application/search/rerank-results.ts';
import type { SearchRequest } from '../../../application/search/search-request.ts';
import { silent } from '../../support/silent.ts';

const clock = { now: () => 0 };
const timeout = () => new AbortController().signal;
const logging = () => {
  const warned: unknown[] = [];
  return { warned, log: { ...silent, warn: (...line: unknown[]) => void warned.push(line) } };
};
const of = (model: string, share: number): Coverage => ({ model, share, dimensions: 2 });

describe('the vector of a question', () => {
  const asking = (embed: (texts: readonly string[], kind: string) => Promise<readonly Float32Array[]>) => {
    const { warned, log } = logging();
    const ofQuestion = createQuestionVector({
      vectors: { coverage: async () => [of('new', 1)] },
      embedders: {
        current: { model: 'new', dimensions: 2, embed },
        named: () => {
          throw new Error('no other model is needed');
        },
      },
      clock,
      log,
      timeout,
    });
    return { warned, ofQuestion };
  };

  const said = 'searching by words alone: the question has no vector';
  it.each([
    [[], { model: 'new', error: 'it has 0 dimensions, not 2' }],
    [[Float32Array.of(1, 2, 3)], { model: 'new', error: 'it has 3 dimensions, not 2' }],
    [
      new ProviderError('busy', { status: 429, retryable: true }),
      { model: 'new', error: 'busy', provider: 'embeddings', code: 'provider_error', status: 429 },
    ],
  ])('is none, and the log says why, where the provider answers %s', async (answer, fields) => {
    const { ofQuestion, warned } = asking(async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    expect(await ofQuestion('t', 'why?')).toBeNull();
    expect(warned).toEqual([[said, fields]]);
  });

  it.each([
    ['the wanted one, though another has more', [of('old', 1), of('new', 0.95)], 'new'],
    ['one that has just half', [of('new', 0.5)], 'new'],
    ['the wanted one of three that have as much', [of('a', 0.7), of('new', 0.7), of('b', 0.7)], 'new'],
    ['the wanted one, wherever it stands', [of('new', 0.7), of('a', 0.7), of('b', 0.6)], 'new'],
    ['the first of others that have as much', [of('a', 0.7), of('b', 0.7)], 'a'],
    ['the one with most', [of('a', 0.6), of('b', 0.8), of('new', 0.7)], 'b'],
  ])('is of %s', (_, coverage, model) => {
    expect(modelFor(coverage, 'new')?.model).toBe(model);
  });
});

describe('reranked results', () => {
  const open = (answer: readonly number[] | Error, found: readonly string[] = ['a', 'b', 'c']) => {
    const { warned, log } = logging();
    const asked: unknown[] = [];
    const rerank = async (query: string, texts: readonly string[]) => {
      asked.push([query, texts]);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const rerankResults = createRerankResults({ reranker: { rerank }, clock, log, timeout });
    const results = found.map((text) => ({
      content: { title: 'T', text } as ContentRecord,
      score: 0.5,
      ranks: {},
    }));
    const search = async (more: Partial<SearchRequest> = {}) => {
      const request = { query: 'q', filter: {}, limit: 10, ...more };
      const { results: shown, reranked } = await rerankResults(request, async () => ({
        results,
        totalCandidates: 3,
      }));
      return [shown.map(({ content: { text }, score }) => [text, score]), reranked] as const;
    };
    return { search, asked, warned };
  };

  it('are as many as asked for, from the least score on that is asked for', async () => {
    const { search, asked } = open([0.2, 0.4, 0.3]);
    const all = [
      ['b', 0.4],
      ['c', 0.3],
      ['a', 0.2],
    ];
    expect(await search()).toEqual([all, true]);
    expect(await search({ limit: 2 })).toEqual([all.slice(0, 2), true]);
    expect(await search({ minScore: 0.3 })).toEqual([all.slice(0, 2), true]);
    expect(asked[0]).toEqual(['q', ['T\na', 'T\nb', 'T\nc']]);
  });

  it('of nothing ask nobody', async () => {
    const { search, asked } = open(new Error('asked'), []);
    expect([await search(), asked]).toEqual([[[], true], []]);
  });

  it('that a provider fails are told in the log', async () => {
    const { search, warned } = open(new ProviderError('answers 503', { status: 503, retryable: true }));
    expect((await search())[1]).toBe(false);
    const failure = { provider: 'reranker', code: 'provider_error', status: 503, error: 'answers 503' };
    expect(warned).toEqual([['results are not reranked', failure]]);
  });
});
