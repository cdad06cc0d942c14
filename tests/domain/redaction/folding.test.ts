import { describe, expect, it } from 'vitest';
import type { Detector } from '../../../domain/redaction/detectors/detector.ts';
import { folded, isFoldable, narrowed } from '../../../domain/redaction/detectors/folded.ts';

/** Finds each `ab`, and has settled what stands before an `a` at the end. */
const pairs: Detector = {
  find: (text, from) =>
    [...text.slice(from).matchAll(/ab/g)].map(({ index }) => ({
      start: from + index,
      end: from + index + 2,
    })),
  settledUpTo: (text) => (text.endsWith('a') ? text.length - 1 : text.length),
};
/** Keeps the texts that it is asked about. */
const listening = (): Detector & { readonly heard: string[] } => {
  const heard: string[] = [];
  const hear = (text: string) => void heard.push(text);
  return {
    heard,
    find: (text) => (hear(text), []),
    settledUpTo: (text) => (hear(text), text.length),
  };
};
const seen = (text: string): string => {
  const detector = listening();
  folded(detector).find(text, 0);
  return detector.heard.join('');
};
const INVISIBLE = [...'\u00AD\u200B\u200C\u200D\u2060\uFEFF'];
const found = (text: string, from = 0) => folded(pairs).find(text, from);

describe('a text as it looks', () => {
  it.each([
    ['ＡＺａｚ０９！～', 'AZaz09!~'],
    ['a\u3000b\uFE6Bc\uFE52d\u2024e', 'a b@c.d.e'],
    ['٠٩۰۹०९০৯๐๙໐໙༠༩၀၉០៩᠐᠙꘠꘩', '09'.repeat(11)],
    ['\uFF00\uFF5F¡', '\uFF00\uFF5F¡'],
    [INVISIBLE.join('a'), 'aaaaa'],
    ['a\u200B\u200B\u200B\u200Bb', 'ab'],
    ['a\u200B\u200B\u200B\u200B\u200Bb', 'a\u200B\u200B\u200B\u200B\u200Bb'],
    ['a\u200Bb\u200B', 'ab'],
  ])('has plain characters for wide ones, and none that nobody sees: %j', (text, plain) => {
    expect(seen(text)).toBe(plain);
  });

  it('is as long as it was where wide characters alone are folded', () => {
    const detector = listening();
    narrowed(detector).find('ａ\u200B＠', 0);
    narrowed(detector).settledUpTo('ａ\u200B＠');
    expect(detector.heard).toEqual(['a\u200B@', 'a\u200B@']);
  });

  it('is told from one that has nothing to fold', () => {
    expect(['a@b.c ä', ''].map(isFoldable)).toEqual([false, false]);
    expect([...INVISIBLE, 'ａ', '٣', '\u3000'].map(isFoldable)).toEqual(Array(9).fill(true));
  });
});

describe('what is found in it', () => {
  it('has the offsets of the text', () => {
    expect(found('ab')).toEqual([{ start: 0, end: 2 }]);
    expect(found('\u200Ba\u200Bb\u200B')).toEqual([{ start: 1, end: 4 }]);
    expect(found('x\u200B\u200Bab ab\u200Bab')).toEqual([
      { start: 3, end: 5 },
      { start: 6, end: 8 },
      { start: 9, end: 11 },
    ]);
  });

  it('begins where the looking begins, also within what nobody sees', () => {
    const text = 'ab\u200B\u200Bab';
    const starts = [0, 1, 2, 3, 4, 5].map((from) => found(text, from).map(({ start }) => start));
    expect(starts).toEqual([[0, 4], [4], [4], [4], [4], []]);
    expect(found('ab\u200B', 3)).toEqual([]);
  });
});

describe('what is settled of it', () => {
  it.each([
    ['xab', 3],
    ['xa', 1],
    ['x\u200Ba', 2],
    ['xa\u200B', 1],
    ['x\u200B', 1],
    ['x\u200B\u200B\u200B\u200B', 1],
    ['x\u200B\u200B\u200B\u200B\u200B', 6],
    ['\u200B', 0],
    ['', 0],
  ])('ends before what may be looked over: %j', (text, settled) => {
    expect(folded(pairs).settledUpTo(text)).toBe(settled);
  });
});
