import { describe, expect, it } from 'vitest';
import { emailDetector } from '../../../domain/redaction/detectors/email.ts';

const found = (text: string): readonly string[] =>
  emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
const settled = (text: string) => emailDetector.settledUpTo(text);

describe('an e-mail address in a text', () => {
  it.each([
    ['a@b.org c@d.org', 'a@b.org', 'c@d.org'],
    ['a@b.orgc@d.org', 'a@b.orgc'],
    ['"a b"@c.org"d e"@f.org', '"a b"@c.org', '"d e"@f.org'],
    ['x"a b"@c.org', '"a b"@c.org'],
    ['a"@c.org'],
    ['"a@c.org', 'a@c.org'],
    ['"a\f"@c.org'],
    ['"a\rb"@c.org'],
    ["..''a@b.org", 'a@b.org'],
    ["'.@b.org"],
    ['a.@b.org'],
    ["a'@b.org", "a'@b.org"],
    ['a%b+c-d&e~f_g@b.org', 'a%b+c-d&e~f_g@b.org'],
    ['a=b/c?d!e#f@b.org', 'f@b.org'],
    ['a@b-.org'],
    ['a@b.org-', 'a@b.org'],
    ['a@b.org-c', 'a@b.org'],
    ['a@b.c-org'],
    ['a@b..org', 'a@b..org'],
    ['a@b...org'],
    ['a@b.org.c', 'a@b.org'],
    ['a@b.org.123', 'a@b.org'],
    ['a@b.xn--p1ai', 'a@b.xn--p1ai'],
    ['a@b.XN--p1ai.', 'a@b.XN--p1ai'],
    ['a@b.xn--p1ai--', 'a@b.xn--p1ai'],
    ['a@b.1xn--a'],
    ['a@b.xn1', ''],
    ['a@LocalHost', 'a@LocalHost'],
    ['a@localhost.', 'a@localhost'],
    ['a@localhost.5', 'a@localhost'],
    ['a@my.localhost', 'a@my.localhost'],
    ['a@ \n b.org', 'a@ \n b.org'],
    ['a@\r\nb.org', 'a@\r\nb.org'],
    ['a@ b.org'],
    ['a@\n  b.org'],
    ['a(@)b.org', 'a(@)b.org'],
    ['a [at b@c.org', 'b@c.org'],
    ['@a@b.org', 'a@b.org'],
  ])('is what stands around its sign: %j', (text, ...addresses) => {
    expect(found(text)).toEqual(addresses.filter((one) => one !== ''));
  });

  it('is looked for from an offset on', () => {
    expect(emailDetector.find('abc@d.org', 1)).toEqual([{ start: 1, end: 9 }]);
    expect(emailDetector.find('abc@d.org', 4)).toEqual([]);
    expect(emailDetector.find('"a b"@c.org', 1)).toEqual([]);
  });
});

describe('of a text that may go on', () => {
  it.each([
    ['a word', 'to jane', 3],
    ['a word with a sign', "to ja.ne-%o'", 3],
    ['a quotation that is open', 'to "jane d', 3],
    ['a quotation that is closed', 'to "jane d"', 3],
    ['a quotation with a sign', 'to "jane d"@', 3],
    ['a quotation with the beginning of one', 'to "jane d" (a', 3],
    ['a quotation with a part of a reference', 'to "jane d"&com', 3],
    ['a quotation with a part of a code', 'to "jane d"%4', 3],
    ['a quotation of 64 characters that is open', `to "${'q '.repeat(32)}`, 3],
    ['a quotation that may begin behind another', 'to "a" jane', 5],
    ['a quotation with a domain', 'to "jane d"@example', 3],
    ['a quotation of 64 characters', `to "${'q '.repeat(32)}"`, 3],
    ['a domain', 'to jane@example', 3],
    ['a domain with a point', 'to jane@example.', 3],
    ['a domain with the beginning of a point', 'to jane@example (do', 3],
    ['a sign with a line break', 'to jane@\n', 3],
    ['a sign with a part of a line break', 'to jane@\r', 3],
    ['a sign with a space and a part of one', 'to jane@ \r', 3],
    [
      'the longest sign, domain and point',
      `to jane ( arroba ) ${`${'d'.repeat(62)}.`.repeat(4)}d ( punkt ) `,
      3,
    ],
    ['a sign with a space', 'to jane@ ', 3],
    ['the first of two', 'to jane@example dot@', 8 + 8],
  ])('holds back %s', (_, text, from) => {
    expect(settled(text)).toBe(from);
  });

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

  it('holds back no line break that may begin elsewhere', () => {
    expect(settled('to jane@example, \r')).toBe(18);
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
