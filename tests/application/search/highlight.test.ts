import { describe, expect, it } from 'vitest';
import { createHighlight } from '../../../application/search/written-results.ts';

describe('places of the words of a query', () => {
  /** The first three letters; `the` has no term. */
  const asked: string[][] = [];
  const highlight = createHighlight(async (words) => {
    asked.push([...words]);
    return words.map((word) => (word === 'the' ? '' : word.slice(0, 3)));
  });
  const shown = async (query: string, ...texts: readonly string[]): Promise<readonly string[]> =>
    (await highlight(query, texts)).map((places, i) =>
      places.map(({ start, end }) => texts[i]?.slice(start, end)).join(),
    );

  it('are those of other forms too, text by text', async () => {
    const texts = ['The falcon and falcons', 'Owls', 'Felling to them'] as const;
    expect(await shown('the falcon', ...texts)).toEqual(['falcon,falcons', '', '']);
    expect(await shown('owl felled', ...texts)).toEqual(['', 'Owls', 'Felling']);
    expect(await shown('the', ...texts)).toEqual(['', '', '']);
  });
});
