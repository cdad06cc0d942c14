import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../application/ports/embedder.ts';

/** Holds for every embedder. */
export const embedderContract = (name: string, open: () => Promise<Embedder>): void => {
  const never = new AbortController().signal;
  describe(`the embedder ${name}`, () => {
    it('answers one vector per text, in their order, all of one length', async () => {
      const embedder = await open();
      const texts = Array.from({ length: 205 }, (_, i) => `text number ${i}`);
      const vectors = await embedder.embed(texts, 'document', never);
      expect(vectors).toHaveLength(205);
      expect(new Set(vectors.map(({ length }) => length))).toEqual(new Set([embedder.dimensions]));
      const [alone] = await embedder.embed([texts[150] ?? ''], 'document', never);
      expect(vectors[150]).toEqual(alone);
      expect(vectors[151]).not.toEqual(alone);
    });

    it('answers the same for the same, and nothing for nothing', async () => {
      const embedder = await open();
      const [a] = await embedder.embed(['Äpfel und 梨'], 'query', never);
      expect((await embedder.embed(['x', 'Äpfel und 梨'], 'query', never))[1]).toEqual(a);
      expect(await embedder.embed([], 'document', never)).toEqual([]);
    });

    it('gives up when the signal aborts, with its reason', async () => {
      const embedder = await open();
      const reason = new Error('no longer wanted');
      await expect(embedder.embed(['a'], 'document', AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
};
