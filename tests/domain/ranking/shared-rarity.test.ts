import { describe, expect, it } from 'vitest';
import { withSharedRarity } from '../../../domain/ranking/shared-rarity.ts';

const term = (name: string, df: number, titleDf = 0) => ({ term: name, df, titleDf, n: 1 });

describe('the rarity of a word', () => {
  it('is that of all its terms, whatever language they are of', () => {
    const asked = [{ terms: ['directori', 'directory'] }, { terms: ['list'] }];
    const terms = [term('directori', 300, 20), term('directory', 4, 1), term('list', 70, 7)];
    expect(withSharedRarity(asked, terms, 1_000)).toEqual([
      term('directori', 304, 21),
      term('directory', 304, 21),
      term('list', 70, 7),
    ]);
  });

  it('is at most to be in every content', () => {
    const terms = [term('a', 8, 3), term('b', 9, 1)];
    const [a, b] = withSharedRarity([{ terms: ['a', 'b'] }], terms, 10);
    expect([a, b]).toEqual([term('a', 10, 4), term('b', 10, 4)]);
  });

  it('does not count a term that no content has', () => {
    const terms = [term('a', 8)];
    expect(withSharedRarity([{ terms: ['a', 'unknown'] }], terms, 10)).toEqual(terms);
  });

  it('of a term that two words share is that of the commoner word', () => {
    const asked = [{ terms: ['both', 'common'] }, { terms: ['both', 'rare'] }];
    const terms = [term('both', 2), term('rare', 1), term('common', 50)];
    expect(withSharedRarity(asked, terms, 100)).toEqual([
      term('both', 52),
      term('rare', 3),
      term('common', 52),
    ]);
  });
});
