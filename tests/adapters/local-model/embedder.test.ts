import { afterAll, describe, expect, it } from 'vitest';
import { createLocalEmbedder } from '../../../adapters/local-model/embedder.ts';
import type { EmbeddingRecipe } from '../../../adapters/local-model/weights/manifest.ts';
import { EMBEDDING, install } from '../../support/local-model/installed.ts';
import { HAS_RUNTIME, openModels } from '../../support/local-model/models.ts';
import { tinyEmbeddingModel, tokenVector } from '../../support/local-model/tiny-model.ts';
import { embedderContract } from '../contracts/embedder.ts';

const models = openModels();
afterAll(models.close);
const never = new AbortController().signal;

const opened = (name: string, more: Partial<EmbeddingRecipe> = {}) => {
  const recipe = { ...EMBEDDING, ...more };
  const model = models.open({ model: install(models.root, name, tinyEmbeddingModel(), recipe) });
  return createLocalEmbedder(model, recipe, `local:${name}`);
};
type Opened = ReturnType<typeof opened>;
const vectorOf = async (embedder: Opened, text: string, kind: 'query' | 'document' = 'document') => {
  const [vector] = await embedder.embed([text], kind, never);
  return [...vector!];
};

const directed = (numbers: Float32Array): readonly number[] => {
  const length = Math.hypot(...numbers);
  return [...numbers].map((number) => expect.closeTo(number / length, 5) as number);
};
const merged = (tokens: readonly string[], merge: (a: number, b: number) => number) =>
  directed(tokens.map(tokenVector).reduce((a, b) => a.map((number, i) => merge(number, b[i]!))));
/** The direction of the mean of these tokens' vectors, as near as 32 bits go. */
const mean = (...tokens: readonly string[]) => merged(['[CLS]', ...tokens, '[SEP]'], (a, b) => a + b);

const shared = opened('shared');
describe.skipIf(!HAS_RUNTIME)('a model of this machine', () => {
  embedderContract('of a model of this machine', async () => shared);

  it('embeds a text as the mean of its tokens, whatever is computed beside it', async () => {
    const texts = ['honey', 'turbine valve honey bee', 'a'];
    const [short, long, letter] = await shared.embed(texts, 'document', never);
    expect([...short!]).toEqual(mean('honey'));
    expect([...long!]).toEqual(mean('turbine', 'valve', 'honey', 'bee'));
    expect([...letter!]).toEqual(mean('a'));
  });

  it('takes the token that stands for the text, the last one, or the greatest of each number', async () => {
    const all = ['[CLS]', 'honey', 'bee', '[SEP]'];
    const text = 'honey bee';
    expect(await vectorOf(opened('cls', { pooling: 'cls' }), text)).toEqual(directed(tokenVector('[CLS]')));
    // Beside a longer one, whose padding must not count.
    const last = await opened('last', { pooling: 'last' }).embed([text, `${text} a b c`], 'document', never);
    expect([...last[0]!]).toEqual(directed(tokenVector('[SEP]')));
    expect(await vectorOf(opened('max', { pooling: 'max' }), text)).toEqual(merged(all, Math.max));
  });

  it('puts before questions and documents what the model knows them by', async () => {
    const embedder = opened('prefixed', { prefixes: { query: 'query: ', document: 'passage: ' } });
    expect(await vectorOf(embedder, 'bee', 'query')).toEqual(mean('query', ':', 'bee'));
    expect(await vectorOf(embedder, 'bee')).toEqual(mean('passage', ':', 'bee'));
  });

  it('reads as much of a text as the model bears', async () => {
    const embedder = opened('short', { tokens: 5 });
    expect(await vectorOf(embedder, `a b c${' bee'.repeat(1_000)}`)).toEqual(mean('a', 'b', 'c'));
    expect(await vectorOf(embedder, 'a b c')).toEqual(mean('a', 'b', 'c'));
  });
});
