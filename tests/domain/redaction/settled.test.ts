import { describe, expect, it } from 'vitest';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { folded } from '../../../domain/redaction/detectors/folded.ts';
import { type Kind, TABLE } from './examples.ts';

const KINDS = Object.keys(TABLE) as Kind[];
/** Prose of a length that no finding has. */
const MORE = `\n\n${'And so on it goes. '.repeat(60)}`;

describe('what a detector has settled', () => {
  it.each(KINDS)('is as it says of the whole text, wherever that is cut: %s', (kind) => {
    const { find, settledUpTo } = DETECTORS[kind];
    for (const [text] of TABLE[kind]) {
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
    for (const [text] of TABLE[kind]) {
      const settled = [0, 20, 200, MORE.length].map((length) => settledUpTo(text + MORE.slice(0, length)));
      expect([text, settled]).toEqual([text, settled.toSorted((a, b) => a - b)]);
      expect(settled.at(-1)).toBeGreaterThan(text.length + MORE.length - 40);
    }
  });

  // A key may stand behind its name, and be judged with it.
  it.each(KINDS.filter((kind) => kind !== 'key'))('is found again where it begins: %s', (kind) => {
    const { find } = DETECTORS[kind];
    for (const [text] of TABLE[kind]) {
      const whole = find(text, 0);
      for (const [i, { start }] of whole.entries()) expect(find(text, start)).toEqual(whole.slice(i));
    }
  });
});

describe('a folded detector', () => {
  const invisible = '\u00AD\u200B\u200C\u200D\u2060\uFEFF';

  it.each(KINDS)('finds what it finds without characters that nobody sees: %s', (kind) => {
    const { find } = folded(DETECTORS[kind]);
    for (const [text, ...found] of TABLE[kind]) {
      // Between any two characters, one after the other of them.
      const hidden = [...text].map((char, i) => char + invisible.charAt(i % invisible.length)).join('');
      const seen = (part: string) => [...part].filter((char) => !invisible.includes(char)).join('');
      const spans = find(hidden, 0);
      expect(spans.map(({ start, end }) => seen(hidden.slice(start, end)))).toEqual(found);
      expect(spans.map(({ start }) => invisible.includes(hidden.charAt(start)))).toEqual(
        found.map(() => false),
      );
    }
  });
});
