import { type Embedder, EmbedderUnavailable, EmbeddingRefused } from '../../application/ports/embedder.ts';
import { type LocalModel, ModelRefused, ModelUnusable } from './local-model.ts';
import type { EmbeddingRecipe } from './weights/manifest.ts';

/**
 * Embeds texts with a local model. Adds the model's prefixes for questions and passages; questions have priority. A
 * request that was lost because its process crashed is retried once, in another process.
 *
 * @param label identifies its vectors
 */
export const createLocalEmbedder = (
  model: Pick<LocalModel, 'compute'>,
  { prefixes }: EmbeddingRecipe,
  label: string,
): Embedder => {
  let dimensions: number | null = null;
  return {
    model: label,
    get dimensions() {
      return dimensions;
    },
    embed: async (texts, kind, signal) => {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      const inputs = { texts: texts.map((text) => prefixes[kind] + text), urgent: kind === 'query' };
      try {
        const vectors = await twice(() => model.compute(inputs, signal));
        dimensions ??= vectors[0]!.length;
        return vectors;
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
};

const twice = async <T>(attempt: () => Promise<T>): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ModelUnusable && error.broke)) throw error;
    return attempt();
  }
};

const failureOf = (error: unknown): unknown => {
  if (error instanceof ModelRefused) return new EmbeddingRefused(error.message);
  return error instanceof ModelUnusable ? new EmbedderUnavailable(error.message) : error;
};
