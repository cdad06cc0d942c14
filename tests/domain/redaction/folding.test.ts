import { describe, expect, it } from 'vitest';
import type { Detector } from '../../../domain/redaction/detectors/detector.ts';
import { folded, narrowed } from '../../../domain/redaction/detectors/folded.ts';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { CARD, EMAIL, IBAN, IP, KEY, NATIONAL_ID, PHONE } from '../../application/redaction/corpus.ts';

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
const foundIn = (text: string, from = 0) => folded(pairs).find(text, from);

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
});

describe('what is found in it', () => {
  it('begins where the looking begins, also within what nobody sees', () => {
    const text = 'ab\u200B\u200Bab';
    const starts = [0, 1, 2, 3, 4, 5].map((from) => foundIn(text, from).map(({ start }) => start));
    expect(starts).toEqual([[0, 4], [4], [4], [4], [4], []]);
    expect(foundIn('ab\u200B', 3)).toEqual([]);
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

type Kind = keyof typeof DETECTORS;
const SENTENCES: { readonly [K in Kind]: readonly string[] } = {
  email: EMAIL,
  phone: PHONE,
  card: CARD,
  iban: IBAN,
  ip: IP,
  national_id: NATIONAL_ID,
  key: KEY,
};
const KINDS = Object.keys(SENTENCES) as Kind[];
const textsOf = (kind: Kind) => SENTENCES[kind].map((sentence) => sentence.replaceAll(/[«»]/g, ''));
/** Prose of a length that no finding has. */
const MORE = `\n\n${'And so on it goes. '.repeat(60)}`;

describe('what a detector has settled', () => {
  it.each(KINDS)('is as it says of the whole text, wherever that is cut: %s', (kind) => {
    const { find, settledUpTo } = DETECTORS[kind];
    for (const text of textsOf(kind)) {
      const whole = find(text, 0);
      for (let cut = 0; cut <= text.length; cut += 1) {
        const begun = text.slice(0, cut);
        const settled = settledUpTo(begun);
        const before = (spans: typeof whole) => spans.filter(({ start }) => start < settled);
        expect([begun, before(find(begun, 0))]).toEqual([begun, before(whole)]);
      }
    }
  });

  it.each(KINDS)('grows with the text, and is all of it behind ordinary words: %s', (kind) => {
    const { settledUpTo } = DETECTORS[kind];
    for (const text of textsOf(kind)) {
      const settled = [0, 20, 200, MORE.length].map((length) => settledUpTo(text + MORE.slice(0, length)));
      expect([text, settled]).toEqual([text, settled.toSorted((a, b) => a - b)]);
      expect(settled.at(-1)).toBeGreaterThan(text.length + MORE.length - 40);
    }
  });
});
