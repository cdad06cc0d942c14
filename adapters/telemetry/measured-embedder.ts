import { metrics } from '@opentelemetry/api';
import type { Embedder } from '../../application/ports/embedder.ts';

/** Counts the calls of an embedder by kind and outcome, the texts of those that succeeded, and how long they took. */
export const measuredEmbedder = (embedder: Embedder): Embedder => {
  const meter = metrics.getMeter('knowledger');
  const calls = meter.createCounter('knowledger_embedding_calls', {
    description: 'calls of the embedding provider; a failed one for a query is a search by words alone',
  });
  const embedded = meter.createCounter('knowledger_embedding_texts', { description: 'texts embedded' });
  const duration = meter.createHistogram('knowledger_embedding_seconds', { unit: 's' });
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    embed: async (texts, kind, signal) => {
      const began = performance.now();
      try {
        const vectors = await embedder.embed(texts, kind, signal);
        calls.add(1, { kind, outcome: 'ok' });
        embedded.add(texts.length, { kind });
        return vectors;
      } catch (error) {
        calls.add(1, { kind, outcome: (error as Error).name });
        throw error;
      } finally {
        duration.record((performance.now() - began) / 1_000, { kind });
      }
    },
  };
};
