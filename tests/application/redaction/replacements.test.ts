import { describe, expect, it } from 'vitest';
import { createReplacements, isMasked } from '../../../application/redaction/redactor.ts';
import { MASK } from '../../../domain/redaction/detectors/detector.ts';

const masks = (count: number): string => MASK.repeat(count);

describe('masking what was put there before', () => {
  it('hides each replacement from the detectors, the longest that is there', () => {
    const { mask } = createReplacements(['[a]', '[a] b', '***', '[a]']);
    const text = 'x [a] b *** [a] c';
    expect(mask(text, true)).toEqual({ text: `x ${masks(5)} ${masks(3)} ${masks(3)} c`, settled: 17 });
  });

  it('leaves a text as it is where nothing is ever put', () => {
    expect(createReplacements([]).mask('x [a]', false)).toEqual({ text: 'x [a]', settled: 5 });
  });

  it('is not sure of the end of a text that may yet become one of them', () => {
    const { mask } = createReplacements(['[x]', '[email]']);
    expect(mask('x [em', false)).toEqual({ text: 'x [em', settled: 2 });
    expect(mask('[x] y [email', false)).toEqual({ text: `${masks(3)} y [email`, settled: 6 });
    expect(mask('x [em', true)).toEqual({ text: 'x [em', settled: 5 });
  });

  it('is sure of what is one of them already, or can become none', () => {
    const { mask } = createReplacements(['[email]']);
    expect(mask('[email]', false)).toEqual({ text: masks(7), settled: 7 });
    expect(mask('x [zz', false)).toEqual({ text: 'x [zz', settled: 5 });
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
