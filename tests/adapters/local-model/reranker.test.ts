import { afterAll, describe, expect, it } from 'vitest';
import { createLocalReranker } from '../../../adapters/local-model/reranker.ts';
import { install, RERANKING } from '../../support/local-model/installed.ts';
import { HAS_RUNTIME, openModels } from '../../support/local-model/models.ts';
import { rerankingGraph, tinyReranker } from '../../support/local-model/tiny-model.ts';

const models = openModels();
afterAll(models.close);
const never = new AbortController().signal;

const opened = (name: string, labels: 1 | 2 = 1, tokens: number = RERANKING.tokens, wholly = false) => {
  const files = tinyReranker({ 'onnx/model.onnx': rerankingGraph(labels, wholly) });
  return createLocalReranker(
    models.open({ model: install(models.root, name, files, { ...RERANKING, labels, tokens }) }),
  );
};
/** Of a logit. */
const score = (logit: number): number => expect.closeTo(1 / (1 + Math.exp(-logit)), 5) as number;

describe.skipIf(!HAS_RUNTIME)('a cross-encoder of this machine', () => {
  it.each([1, 2] as const)('scores each text by itself, between 0 and 1 (labels: %i)', async (labels) => {
    const reranker = opened(`labels-${labels}`, labels);
    const texts = ['honey', 'a valve of a turbine', 'a', 'turbine turbine turbine'];
    expect(await reranker.rerank('honey honey', texts, never)).toEqual([-3, 3, 0, 6].map(score));
    expect(await reranker.rerank('honey', [], never)).toEqual([]);
  });

  it('does not look at padding, and need not tell question and text apart', async () => {
    const reranker = opened('wholly', 1, RERANKING.tokens, true);
    const scores = await reranker.rerank('valve', ['a', 'a turbine beside another turbine'], never);
    expect(scores).toEqual([1, 5].map(score));
  });

  it('judges the beginning of a long text, and of a long question no more than half', async () => {
    const reranker = opened('short', 1, 12);
    const scores = await reranker.rerank(
      'a '.repeat(500),
      [`turbine ${'a '.repeat(500)} honey`, 'valve'],
      never,
    );
    expect(scores).toEqual([2, 1].map(score));
  });
});
