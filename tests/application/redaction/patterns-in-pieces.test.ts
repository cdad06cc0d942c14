import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternDetector } from '../../../application/redaction/redactor.ts';

const detectorOf = (pattern: RegExp) =>
  patternDetector((text, from) => {
    const search = new RegExp(pattern.source, 'gm');
    search.lastIndex = from;
    const found = search.exec(text);
    return found === null ? null : { start: found.index, end: found.index + found[0].length };
  });

describe('a pattern in a long text', () => {
  const word = fc.oneof(
    fc.constantFrom('x', 'xy', 'a', ' ', '\n', 'b'),
    fc.integer({ min: 1, max: 900 }).map((length) => 'a'.repeat(length)),
    fc.integer({ min: 1, max: 900 }).map((length) => '-'.repeat(length)),
  );

  it.each([/a{1,700}b?/, /\bx\w*/, /^[ab]+/, /-{300,600}/])('is found as in one piece: %s', (pattern) => {
    const { find } = detectorOf(pattern);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.nat(3_000), (words, place) => {
        const text = words.join('');
        const from = Math.min(place, text.length);
        const whole = new RegExp(pattern.source, 'gm');
        whole.lastIndex = from;
        const expected = [];
        for (let found = whole.exec(text); found !== null; found = whole.exec(text))
          expected.push({ start: found.index, end: found.index + found[0].length });
        expect(find(text, from)).toEqual(expected);
      }),
    );
  });

  it('is sure up to what a match may yet reach', () => {
    const { settledUpTo } = detectorOf(/x/);
    expect([0, 256, 257, 258, 1_000].map((length) => settledUpTo('-'.repeat(length)))).toEqual([
      0, 0, 0, 1, 743,
    ]);
  });
});
