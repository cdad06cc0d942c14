import { describe, expect, it } from 'vitest';
import { type OpenSearchIndex, tenantOf } from './search-index-world.ts';

export const vocabularyContract = (world: () => OpenSearchIndex): void => {
  describe('the vocabulary', () => {
    it('has a term for each word, in their order, and an empty one for a stop word', async () => {
      const terms = await world().index.terms(['the', 'falcon', 'of', '東京', 'falcon', '2026', 'naïve']);
      expect(terms.map((term) => term === '')).toEqual([true, false, true, false, false, false, false]);
      expect(terms[1]).toBe(terms[4]);
      expect(new Set(terms).size).toBe(5);
      expect(await world().index.terms([])).toEqual([]);
    });

    it('has one term for the singular and the plural of a word', async () => {
      const terms = await world().index.terms(['valve', 'valves', 'policy', 'policies']);
      expect(terms[0]).toBe(terms[1]);
      expect(terms[2]).toBe(terms[3]);
      expect(terms[0]).not.toBe(terms[2]);
    });

    it('is that of the index: words of one term find each other, and others do not', async () => {
      const words = ['valve', 'valves', 'policy', 'policies', 'falcon', '京都', '1e5'];
      const terms = await world().index.terms(words);
      for (const [i, written] of words.entries()) {
        const { write, found } = tenantOf(world());
        const ids = await write('doc', { texts: [written] });
        for (const [j, asked] of words.entries())
          expect(await found(asked)).toEqual(terms[i] === terms[j] ? ids : []);
      }
    });

    it('folds case and width, and takes scripts without spaces by pairs', async () => {
      const { write, found } = tenantOf(world());
      const [policy] = await write('a', { texts: [[['Returns Policy'], 'Send it back.']] });
      const [tokyo] = await write('b', { texts: ['東京都の天気'] });
      expect(await found('ＰＯＬＩＣＩＥＳ')).toEqual([policy]);
      expect(await found('京都')).toEqual([tokyo]);
    });
  });
};
