import { describe, expect, it } from 'vitest';
import { looksRandom } from '../../../domain/redaction/detectors/key-prefixes.ts';

describe('what looks drawn by lot', () => {
  it.each([
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000', false],
    ['a UUID in capitals', '123E4567-E89B-12D3-A456-426614174000', false],
    ['a UUID and more', '123e4567-e89b-12d3-a456-426614174000-Xq7Zr3Kp9W', true],
    ['more and a UUID', 'Xq7Zr3Kp9W-123e4567-e89b-12d3-a456-426614174000', true],
    ['figures alone', '48103759264810375926481037592648', false],
    ['one figure', 'qWzXvTkMnBpLrSdFgHj1', false],
    ['two figures', 'qWzXvTkMnBpLrSdFgH21', true],
    [
      'one figure in forty characters of base64 with a sign',
      'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHj1C',
      true,
    ],
    ['one figure in forty characters without a sign', 'qWzXvTkMnBpLrSdFgHjqWzXvTkMnBpLrSdFgHj1C', false],
    ['one figure in forty-one characters', 'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHj1CD', false],
    ['no figure in forty characters', 'qWzXvTkMnBpLrSdFgHjqWzXv/kMnBpLrSdFgHjTC', false],
  ])('is not a name of something, and has figures among its letters: %s', (_, token, is) => {
    expect(looksRandom(token)).toBe(is);
  });

  it.each([
    ['32 of eight kinds, three bits each', 'a0b1c2d3'.repeat(4), true],
    ['31 of more kinds', '0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5', false],
    ['32 in capitals', 'A0B1C2D3'.repeat(4), true],
    ['35 of seven kinds', 'a0b1c2d'.repeat(5), false],
    ['41 with eight changes', 'abcde01234abcde01234abcde0123abcd0123abcd', true],
    ['41 with seven changes', 'abcde01234abcde01234abcde0123abcd01234567', false],
  ])('of hexadecimal figures are 32 and more, of many kinds that take turns: %s', (_, token, is) => {
    expect(looksRandom(token)).toBe(is);
  });

  it.each([
    ['three bits and a half each', 'g1h2j3k4g5h6j7k8'.repeat(2), true],
    ['a little less', 'g1h2j3k4g5h6j7k7'.repeat(2), false],
    ['six changes of 20', 'abcdABCD01abcd23ABCD4', true],
    ['five changes of 20', 'abcdABCDE1abcd23ABCDE', false],
    ['six changes of 20, and signs, which count for nothing', 'abcdABCD01abcd23ABCD+4', true],
    ['hexadecimal figures in capitals and small letters', 'a0B1c2D3e4F5', true],
    ['a part of ten characters', 'aB3dE6gH9k-mN2pQ5sT8', true],
    ['two parts of nine', 'aB3dE6gH9-mN2pQ5sT8', false],
  ])('of other characters are of more kinds, take more turns, and are not short: %s', (_, token, is) => {
    expect(looksRandom(token)).toBe(is);
  });
});
