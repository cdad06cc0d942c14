import { type Embedder, EmbeddingRefused, EmbedderUnavailable } from '../../ports/embedder.ts';

/** Any model embeds it. */
const PROBE = 'probe';

/**
 * One vector per text; null for one that the model refuses. What is refused together is tried in halves, so that one
 * text does not keep the others waiting.
 *
 * @throws EmbedderUnavailable also where the model refuses everything: then it is not the text's fault
 */
export const embedTexts = async (
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (Float32Array | null)[]> => {
  try {
    return await embedder.embed(texts, 'document', signal);
  } catch (error) {
    if (!(error instanceof EmbeddingRefused)) throw error;
    if (texts.length === 1) {
      await mustEmbedAnything(embedder, signal);
      return [null];
    }
  }
  const middle = Math.ceil(texts.length / 2);
  const first = await embedTexts(embedder, texts.slice(0, middle), signal);
  return [...first, ...(await embedTexts(embedder, texts.slice(middle), signal))];
};

const mustEmbedAnything = async (embedder: Embedder, signal: AbortSignal): Promise<void> => {
  try {
    await embedder.embed([PROBE], 'document', signal);
  } catch (error) {
    if (error instanceof EmbeddingRefused) throw new EmbedderUnavailable(error.message);
    throw error;
  }
};
