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
  it('passes on what comes, as it comes, where there is no rule', () => {
    expect(shown(['a\ud83d', '\ude00b'])).toEqual(['a\ud83d', '\ude00b', '']);
  });

  it('shows nothing of a match before every rule is sure of what stands there', () => {
    const rules = [rule('word', /abcdef/, 0), rule('none', NOTHING, 4)];
    expect(shown(['xx abcdef', ' yy'], ...rules)).toEqual(['xx ', '', '[word] yy']);
  });

  it('shows a match as soon as every rule is sure up to its end', () => {
    const rules = [rule('word', /abcd/, 0), rule('none', NOTHING, 2)];
    expect(shown(['xx abcdyy', 'zz'], ...rules)).toEqual(['xx [word]', 'yy', 'zz']);
  });

  it('does not take for a match what may yet go on', () => {
    expect(shown(['aa', 'aaa', 'bbbbb'], rule('a', /a+/, 5)).join('')).toBe('[a]bbbbb');
  });

  it('goes on looking behind a match, not in the midst of it', () => {
    expect(shown(['abc'], rule('x', /ab|bc/, 2)).join('')).toBe('[x]c');
  });

  it('lets the rule that comes first speak, however late it is sure', () => {
    expect(shown(['abc'], rule('slow', /abc/, 5), rule('fast', /abc/, 0)).join('')).toBe('[slow]');
  });

  it('leaves a replacement alone that comes in pieces, and one that never comes to its end', () => {
    const abc = rule('abc', /abc/, 3);
    expect(shown(['x [a', 'bc] y'], abc).join('')).toBe('x [abc] y');
    expect(shown(['x [a', 'bc] abc y'], abc).join('')).toBe('x [abc] [abc] y');
    expect(shown(['x [ab'], abc).join('')).toBe('x [ab');
  });

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
