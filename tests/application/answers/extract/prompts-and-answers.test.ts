import { describe, expect, it } from 'vitest';
import { estimateTokens, fenced } from '../../../../application/answers/completions/prompt.ts';
import { envelopeOf, type ReadAnswer, readAnswer } from '../../../../application/answers/extract/extract.ts';
import {
  extractionPrompt,
  type ExtractionPromptParts,
} from '../../../../application/answers/extract/extraction-prompt.ts';
import { readContents } from '../../../../application/answers/extract/read-contents.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { CALLER, contentOf } from '../../../support/completions.ts';

const PASSAGES = [1, 2, 3].map((n) => ({ title: `T${n}`, url: `u${n}`, text: 'fact '.repeat(1_000) }));
const parts = (more: Partial<ExtractionPromptParts> = {}): ExtractionPromptParts => ({
  answerSchema: { type: 'object' },
  prompt: undefined,
  passages: PASSAGES,
  citation: true,
  nonce: 'abc',
  contextWindow: 32_000,
  maxTokens: null,
  whole: true,
  ...more,
});

describe('the prompt of an extraction', () => {
  it('leaves room for two answers and for the request to mend the first, to the last token', () => {
    const fits = (contextWindow: number, more: Partial<ExtractionPromptParts>): number | string => {
      try {
        return extractionPrompt(parts({ contextWindow, maxTokens: 1_000, ...more })).passages;
      } catch (error) {
        return error instanceof DomainError ? error.message : 'it broke';
      }
    };
    const told = (of: readonly (typeof PASSAGES)[number][]): number =>
      extractionPrompt(parts({ passages: of })).messages.reduce(
        (sum, { role, content }) => sum + (role === 'system' ? estimateTokens(content) : 0),
        estimateTokens('Extract the data.') + 2 * 1_000 + 700,
      );
    const each = (n: number): number => estimateTokens(fenced(PASSAGES[n]!, n + 1, 'abc'));
    const all = told(PASSAGES) + each(0) + each(1) + each(2);
    const of = (count: number): string =>
      `the model can read ${count} of these 3 contents at once: name fewer, or give a query`;
    expect([fits(all, {}), fits(all - 1, {})]).toEqual([3, of(2)]);
    expect(fits(all - 1, { whole: false })).toBe(2);
    const cut = extractionPrompt(parts({ contextWindow: all - 1, maxTokens: 1_000, whole: false }));
    expect(cut.messages[1]!.content).toBe([0, 1].map((n) => fenced(PASSAGES[n]!, n + 1, 'abc')).join('\n'));
    const one = told(PASSAGES) + each(0);
    expect([fits(one, { whole: false }), fits(one - 1, { whole: false })]).toEqual([1, of(0)]);
    // An answer that may have less than that request does not need more room for it.
    const none = told([]) - 700 - 2 * 1_000 + 2 * 50 + 50;
    const small = { passages: [], maxTokens: 50 };
    const tooLong = 'the schema and the prompt are longer than the model can read';
    expect([fits(none, small), fits(none - 1, small)]).toEqual([0, tooLong]);
  });
});

const NOT_JSON = 'the answer is not JSON, or nested too deep';
const NO_ENVELOPE = 'the answer must be an object with "data" and "passages"';
const unreadable = (problem: string, ...texts: readonly string[]) =>
  texts.map((text): readonly [string, ReadAnswer] => [text, { ok: false, problems: [problem] }]);
const READABLE: readonly (readonly [string, ReadAnswer])[] = [
  ['{"data":1,"passages":[2,"3",1.5,null,4]}', { ok: true, data: 1, passages: [2, 4] }],
  ['{"data":null,"passages":"2"}', { ok: true, data: null, passages: [] }],
  ['  {"data":1}\n', { ok: true, data: 1, passages: [] }],
  ['```\n{"data":1}\n```', { ok: true, data: 1, passages: [] }],
  [' \n```json\n{"data":1}\n```\n', { ok: true, data: 1, passages: [] }],
  ...unreadable(NO_ENVELOPE, '7', 'null', '"data"', '{"passages":[1]}', '[1]'),
  ...unreadable(NOT_JSON, '', '{', 'So:\n```json\n{"data":1}\n```', '```json\n{"data":1}\n``` so'),
  ...unreadable(NOT_JSON, '```js\n{"data":1}\n```'),
];

describe('the answer of a model', () => {
  const none = () => [];

  it('is asked for in an envelope, which keeps the definitions of the schema at its root', () => {
    const schema = { $schema: 's', $defs: { a: {} }, definitions: { b: {} }, type: 'array', items: {} };
    expect(envelopeOf(schema)).toEqual({
      $schema: 's',
      $defs: { a: {} },
      definitions: { b: {} },
      type: 'object',
      properties: {
        data: { type: 'array', items: {} },
        passages: { type: 'array', items: { type: 'integer', minimum: 1 } },
      },
      required: ['data', 'passages'],
      additionalProperties: false,
    });
  });

  it.each(READABLE)('is read out of %j', (text, read) => {
    expect(readAnswer(text, none, true)).toEqual(read);
  });

  it('is read a hundred levels deep', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(readAnswer(nested(101), none, false).ok).toBe(true);
    expect(readAnswer(nested(102), none, false).ok).toBe(false);
  });
});

describe('the contents that are read for an extraction', () => {
  /** Sources hold so many contents; what is read at the same time. */
  const reading = (held: number, searched: unknown[] = []) => {
    const state = { under: 0, most: 0, pages: 0 };
    const deps: Parameters<typeof readContents>[0] = {
      search: async (_caller, search) => {
        searched.push(search);
        const results = [3, 1].map((n) => ({ content: contentOf(n), score: 1, ranks: {} }));
        return { results, queryId: 'q', totalCandidates: 2, mode: 'keyword', reranked: false };
      },
      sources: {
        content: async (_caller, id) => {
          state.under += 1;
          state.most = Math.max(state.most, state.under);
          await new Promise(setImmediate);
          state.under -= 1;
          return contentOf(Number(id.slice(-12)));
        },
        contents: async (_caller, _id, { limit, after }) => {
          state.pages += 1;
          const from = after === undefined ? 1 : Number(after.slice(-12)) + 1;
          const count = Math.max(0, Math.min(limit, held - from + 1));
          const rows = Array.from({ length: count }, (_, n) => contentOf(from + n));
          return { rows, hasMore: from + count <= held, total: held };
        },
      },
    };
    return {
      state,
      deps,
      read: (from: Parameters<typeof readContents>[2]['from']) =>
        readContents(deps, CALLER, { from, onBehalfOf: {} }),
    };
  };

  it('of sources are all that these hold, up to a thousand', async () => {
    const sources = { kind: 'sources', ids: [contentOf(1).sourceId] } as const;
    const { state, read } = reading(1_000);
    expect(await read(sources)).toHaveLength(1_000);
    expect(state.pages).toBe(10);
    const more = reading(5_000);
    await expect(more.read(sources)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'these sources hold more than 1000 contents: name fewer, or give a query',
    });
    expect(more.state.pages).toBe(11);
  });

  it('are asked for by ids in small letters, and no further where a source has no more to give', async () => {
    const asked: unknown[] = [];
    const { deps } = reading(0);
    const sources = {
      content: async (_caller: unknown, id: string) => {
        asked.push(id);
        return contentOf(1);
      },
      contents: async (_caller: unknown, id: string, page: object) => {
        asked.push([id, page]);
        return { rows: [], hasMore: true, total: 9 };
      },
    };
    const read = (from: Parameters<typeof readContents>[2]['from']) =>
      readContents({ ...deps, sources }, CALLER, { from, onBehalfOf: {} });
    await read({ kind: 'contents', ids: ['AB'] });
    expect(await read({ kind: 'sources', ids: ['CD'] })).toEqual([]);
    expect(asked).toStrictEqual(['ab', ['cd', { limit: 100 }]]);
  });
});
