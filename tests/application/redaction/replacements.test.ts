import { describe, expect, it } from 'vitest';
import { createReplacements, isMasked } from '../../../application/redaction/redactor.ts';
import { MASK } from '../../../domain/redaction/detectors/detector.ts';

const masks = (count: number): string => MASK.repeat(count);

describe('masking what was put there before', () => {
  it('is not sure of the end of a text that may yet become one of them', () => {
    const { mask } = createReplacements(['[x]', '[email]']);
    expect(mask('x [em', false)).toEqual({ text: 'x [em', settled: 2 });
    expect(mask('[x] y [email', false)).toEqual({ text: `${masks(3)} y [email`, settled: 6 });
    expect(mask('x [em', true)).toEqual({ text: 'x [em', settled: 5 });
  });
});

describe('what consists of masks alone', () => {
  it('is where each character was masked, and was none before', () => {
    expect(isMasked(`a${masks(3)}b`, 'a[x]b', 1, 4)).toBe(true);
    expect(isMasked(`a${masks(3)}b`, 'a[x]b', 0, 4)).toBe(false);
    expect(isMasked(`a${masks(3)}b`, 'a[x]b', 1, 5)).toBe(false);
    // A text may hold the character that masks are made of.
    expect(isMasked(masks(2), `${MASK}x`, 0, 2)).toBe(false);
  });
});
