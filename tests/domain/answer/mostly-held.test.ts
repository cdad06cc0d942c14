import { describe, expect, it } from 'vitest';
import { isAbout } from '../../../domain/answer/is-about.ts';
import type { Ranking } from '../../../domain/answer/rank-sentences.ts';

const setOf = (terms: string): ReadonlySet<string> => new Set(terms.split(' ').filter((term) => term !== ''));
/** Whether sentences that hold these terms are taken for an answer. */
const answers = (
  subject: string,
  sentences: readonly string[],
  { missing = '', isEnglish = false } = {},
): boolean => {
  const asked = { subject: setOf(subject), kind: 'other', isEnglish };
  const held = sentences.map((terms) => ({ matched: setOf(terms), score: 1 }));
  return isAbout({ asked, missing: setOf(missing), sentences: held } as unknown as Ranking);
};

describe('a question in another language is answered', () => {
  it('where one of the best five sentences holds more than half of its terms, of a longer one fewer', () => {
    expect(answers('a b c d', ['a b c'])).toBe(true);
    expect(answers('a b c d', ['a b'])).toBe(false);
    expect(answers('a b', ['z', 'z', 'z', 'z', 'a b'])).toBe(true);
    expect(answers('a b', ['z', 'z', 'z', 'z', 'z', 'a b'])).toBe(false);
    expect(answers('a b c d e f g h', ['a b c'])).toBe(true);
    expect(answers('a b c d e f g h', ['a b'])).toBe(false);
  });

  it('where a third of its terms is missing at most, of two or three one', () => {
    expect(answers('a b c', ['a b'], { missing: 'c' })).toBe(true);
    expect(answers('a b c', ['a b'], { missing: 'b c' })).toBe(false);
    expect(answers('a', ['a'], { missing: 'a' })).toBe(false);
    expect(answers('a b c d e f', ['a b c d'], { missing: 'e f' })).toBe(true);
    expect(answers('a b c d e f', ['a b c d'], { missing: 'd e f' })).toBe(false);
  });
});

describe('a question in a script without spaces is answered', () => {
  it('where a sentence holds a third of it, as pairs of characters only join words', () => {
    expect(answers('東京 京都 都市', ['東京'], { isEnglish: true })).toBe(true);
    expect(answers('東京 京都 都市 市長', ['東京'], { isEnglish: true })).toBe(false);
    expect(answers('東京 京都 都市', ['東京 京都'], { missing: '都市', isEnglish: true })).toBe(true);
  });

  it('but where a word of it stands nowhere, it is not', () => {
    expect(answers('東京 京都 linux', ['東京 京都'], { missing: 'linux', isEnglish: true })).toBe(false);
    expect(answers('東京 京都 linux', ['東京 京都'], { isEnglish: true })).toBe(true);
  });
});
