import { describe, expect, it } from 'vitest';
import { queryNames } from '../../../domain/ranking/names.ts';

describe('the names that a query may speak of', () => {
  it('are its runs of two to four words, each by how much of the subject it is', () => {
    const words = ['red', 'green', 'blue', 'black', 'white', 'grey'];
    const runs = words.flatMap((_, from) =>
      [2, 3, 4]
        .filter((length) => from + length <= words.length)
        .map((length): [string, number] => [`=${words.slice(from, from + length).join('_')}`, length / 6]),
    );
    expect(new Map(queryNames(words.join(' ')))).toEqual(new Map([...runs, [`=${words.join('_')}`, 3]]));
  });

  it('are looked for up to the thirty-second word', () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
    const names = queryNames(words.join(' '));
    expect([names.has('=w31_w32'), names.has('=w32_w33')]).toEqual([true, false]);
  });
});
