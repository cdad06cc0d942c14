import { describe, expect, it } from 'vitest';
import { emailDetector } from '../../../domain/redaction/detectors/email.ts';

describe('email bounds', () => {
  const found = (text: string): readonly string[] =>
    emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
  const settled = (text: string) => emailDetector.settledUpTo(text);

  describe('an e-mail address in a text', () => {
    it.each([
      ['a@b.org c@d.org', 'a@b.org', 'c@d.org'],
      ['"a b"@c.org"d e"@f.org', '"a b"@c.org', '"d e"@f.org'],
      ["..''a@b.org", 'a@b.org'],
      ['a.@b.org'],
      ["a'@b.org", "a'@b.org"],
      ['a@b.org-', 'a@b.org'],
      ['a@b.c-org'],
      ['a@LocalHost', 'a@LocalHost'],
      ['a@\n  b.org'],
    ])('is what stands around its sign: %j', (text, ...addresses) => {
      expect(found(text)).toEqual(addresses.filter((one) => one !== ''));
    });
  });

  describe('of a text that may go on', () => {
    it.each([
      ['a space and a word', 'to jane so'],
      ['an address and more', 'to jane@example.org, so'],
      ['a bracket that is closed too early', 'to jane [d]ot'],
      ['a line break behind a domain', 'to jane@example, \rso'],
      ['a line break that is none', 'to jane@\rso'],
      ['a quotation that goes on over a line', 'to "jane\nso'],
      ['a quotation with a backslash', 'to "ja\\ so'],
      ['a quotation that is too long', `to "${'q '.repeat(40)}so`],
    ])('holds back the last word alone behind what %s ends', (_, text) => {
      expect(settled(text)).toBe(text.length - 2);
    });

    it('holds back 64 characters of a word, 253 of a domain, and no more', () => {
      expect(settled('l'.repeat(64))).toBe(0);
      expect(settled('l'.repeat(65))).toBe(1);
      const labels = `a@${`${'d'.repeat(62)}.`.repeat(4)}`;
      expect(settled(labels)).toBe(0);
      expect(settled(`${labels}dd`)).toBeGreaterThan(0);
      expect(settled(`a@${'d'.repeat(63)}`)).toBe(0);
    });
  });
});

describe('an e-mail address', () => {
  const AT = [
    '@',
    '(at)',
    '[AT]',
    '{at}',
    '<at>',
    '(@)',
    '[ät]',
    '(arroba)',
    '( at )',
    ' [at] ',
    '\u00a0(at)\u00a0',
  ];
  const AT_CODES = ['&#64;', '&#064;', '&#x40;', '&#x040;', '&commat;', '%40'];
  const signs = (writings: readonly string[]) => writings.map((one) => [one] as const);

  const found = (text: string): readonly string[] =>
    emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  it.each(signs([...AT, ...AT_CODES]))('may begin wherever %s is cut', (at) => {
    for (let cut = 1; cut <= at.length; cut += 1) {
      const text = `to jane${at.slice(0, cut)}`;
      expect([text, emailDetector.settledUpTo(text)]).toEqual([text, 3]);
    }
  });

  it.each([
    [`"${'q'.repeat(64)}"@example.org`, 1],
    [`"${'q'.repeat(65)}"@example.org`, 0],
    ['"a\nb"@example.org', 0],
    ['"a\\b"@example.org', 0],
    ['""@example.org', 0],
    ['.jane@example.org', 1],
    ["'jane'@example.org", 1],
    ['jane@example.1a', 0],
    ['jane@localhost', 1],
  ])('is told from what is none: %s', (text, count) => {
    expect(found(text)).toHaveLength(count);
  });
});
