import { describe, expect, it } from 'vitest';
import { emailDetector } from '../../../domain/redaction/detectors/email.ts';

describe('email bounds', () => {
  const found = (text: string): readonly string[] =>
    emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

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
      ['a@b@c.example', 'b@c.example'],
      ['token=a@b.io&x', 'a@b.io'],
      ['git@1.2.3.4, x@example.o, x@-example.org'],
      [`a@${'b'.repeat(63)}.org`, `a@${'b'.repeat(63)}.org`],
      [`a@${'b'.repeat(64)}.org`],
    ])('is what stands around its sign: %j', (text, ...addresses) => {
      expect(found(text)).toEqual(addresses.filter((one) => one !== ''));
    });
  });
});

describe('an e-mail address', () => {
  const found = (text: string): readonly string[] =>
    emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

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
