import { type Embedder, EmbedderUnavailable, EmbeddingRefused } from '../../application/ports/embedder.ts';
import { type LocalModel, ModelRefused, ModelUnusable } from './local-model.ts';
import type { EmbeddingRecipe } from './weights/manifest.ts';

/**
 * Embeds by a model of this machine. Texts go with the prefixes that the model knows questions and passages by, and
 * questions before passages. What a process that broke down has left undone is tried once more, in another one.
 *
 * @param label names its vectors
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
