import type { Reranker } from '../../application/ports/reranker.ts';
import type { LocalModel } from './local-model.ts';

/** Judges by a cross-encoder of this machine, one text after the other, together with the question. */
export const createLocalReranker = (model: Pick<LocalModel, 'compute'>): Reranker => ({
  rerank: async (question, texts, signal) => {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    const rows = await model.compute({ texts, question, urgent: true }, signal);
    return rows.map(([score]) => score!);
  },
});
