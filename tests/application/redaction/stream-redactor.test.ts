import { describe, expect, it } from 'vitest';
import {
  type CompiledRule,
  type CompiledRules,
  createReplacements,
} from '../../../application/redaction/redactor.ts';
import { createStreamRedactor } from '../../../application/redaction/stream-redactor.ts';
import { LOOK_BEHIND } from '../../../domain/redaction/detectors/detector.ts';
import { LONGEST_KEY } from '../../../domain/redaction/detectors/key.ts';

const MOST_HELD = LONGEST_KEY + 2_048;
const NOTHING = /(?!)/;

/** A rule that is sure of all but the last `held` characters. `seen`: how much text it was shown at once. */
const rule = (name: string, pattern: RegExp, held: number, seen: number[] = []): CompiledRule => ({
  name,
  kind: 'pattern',
  replacement: `[${name}]`,
  isFolded: false,
  detector: {
    find: (text, from) => {
      seen.push(text.length);
      const search = new RegExp(pattern.source, 'g');
      search.lastIndex = from;
      return [...text.matchAll(search)].map(({ index, 0: found }) => ({
        start: index,
        end: index + found.length,
      }));
    },
    settledUpTo: (text) => Math.max(0, text.length - held),
  },
});
const compiledOf = (...rules: readonly CompiledRule[]): CompiledRules => ({
  rules,
  replacements: createReplacements(rules.map(({ replacement }) => replacement)),
});
/** What each piece makes appear, and the end of the text. */
const shown = (deltas: readonly string[], ...rules: readonly CompiledRule[]): readonly string[] => {
  const stream = createStreamRedactor(compiledOf(...rules));
  return [...deltas.map(stream.push), stream.flush()];
};

describe('a text that is redacted while it comes', () => {
  it.each(['\u{10000}', '\u{10ffff}', '😀'])(
    'never shows half of a character, but at its end: %j',
    (char) => {
      const [high, low] = char.split('') as [string, string];
      const none = rule('none', NOTHING, 0);
      expect(shown([`a${high}`, `${low}b`], none)).toEqual(['a', `${char}b`, '']);
      expect(shown([`a${high}`], none)).toEqual(['a', high]);
    },
  );

  it('forgets what it has shown, and still finds what comes after it', () => {
    const seen: number[] = [];
    const rules = [rule('word', /abcdef/, 0, seen), rule('none', NOTHING, 10)];
    const line = `${'-'.repeat(LOOK_BEHIND)} abcdef `;
    const stream = createStreamRedactor(compiledOf(...rules));
    const all = Array.from({ length: 20 }, () => stream.push(line)).join('') + stream.flush();
    expect(all).toBe(line.replace('abcdef', '[word]').repeat(20));
    expect(Math.max(...seen)).toBeLessThan(3 * line.length);
  });

  it('keeps a match that waits for another rule while it forgets what was before', () => {
    const rules = [rule('word', /abcdef/, 0), rule('none', NOTHING, 8)];
    const before = '-'.repeat(2 * LOOK_BEHIND);
    expect(shown([`${before}abcdef`, '..', 'abcdef'], ...rules).join('')).toBe(`${before}[word]..[word]`);
  });

  it('holds so much at the most, and decides then as it stands', () => {
    const never = { find: () => [], settledUpTo: (text: string) => Math.min(100, text.length) };
    const stream = createStreamRedactor(compiledOf({ ...rule('x', NOTHING, 0), detector: never }));
    expect(stream.push('-'.repeat(100))).toHaveLength(100);
    expect(stream.push('-'.repeat(MOST_HELD))).toBe('');
    expect(stream.push('-')).toHaveLength(MOST_HELD + 1);
  });
});
