import { describe, expect, it } from 'vitest';
import { withoutCitations } from '../../../domain/answer/without-citations.ts';

describe('an answer whose citations are gone', () => {
  it.each([
    ['A [1], B [2][3].', [], 'A [1], B [2][3].'],
    ['A [00].', [0], 'A [00].'],
    ['A [1], B [2][3].', [0], 'A, B [1][2].'],
    ['A [1], B [2][3].', [1], 'A [1], B[2].'],
    ['A [1], B [2][3].', [0, 1, 2], 'A, B.'],
    ['See `a[1]` and ``b[2] ` c``, and [2].', [0], 'See `a[1]` and ``b[2] ` c``, and [1].'],
    ['An open `fence [1].', [0], 'An open `fence [1].'],
    ['Not cited: [4], [W1], [0].', [0], 'Not cited: [4], [W1], [0].'],
  ])('%j without %j reads %j', (text, gone, left) => {
    expect(withoutCitations(text, 3, new Set(gone))).toBe(left);
  });

  it('has marks of several figures, too', () => {
    expect(withoutCitations('A [12], B [123].', 123, new Set([0]))).toBe('A [11], B [122].');
  });
});
