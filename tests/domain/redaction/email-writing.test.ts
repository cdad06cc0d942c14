import { describe, expect, it } from 'vitest';
import { emailDetector } from '../../../domain/redaction/detectors/email.ts';

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
const DOT = ['.', '..', '(dot)', '[.]', '{DOT}', '<punkt>', '(punto)', '(point)', ' ( dot ) '];
const DOT_CODES = ['&#46;', '&#046;', '&#x2e;', '&#x02e;', '&period;'];
const signs = (writings: readonly string[]) => writings.map((one) => [one] as const);

const found = (text: string): readonly string[] =>
  emailDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

describe('an e-mail address', () => {
  it.each(signs([...AT, ...AT_CODES]))('is found with %s for its sign', (at) => {
    expect(found(`to jane${at}example.org now`)).toEqual([`jane${at}example.org`]);
  });

  it.each(signs([...DOT, ...DOT_CODES]))('is found with %s for its point', (dot) => {
    expect(found(`to jane@example${dot}org now`)).toEqual([`jane@example${dot}org`]);
  });

  it.each(signs([...AT, ...AT_CODES]))('may begin wherever %s is cut', (at) => {
    for (let cut = 1; cut <= at.length; cut += 1) {
      const text = `to jane${at.slice(0, cut)}`;
      expect([text, emailDetector.settledUpTo(text)]).toEqual([text, 3]);
    }
  });

  it.each(signs([...DOT, ...DOT_CODES]))('may go on wherever %s is cut', (dot) => {
    for (let cut = 1; cut <= dot.length; cut += 1) {
      const text = `to jane@example.org${dot.slice(0, cut)}`;
      expect([text, emailDetector.settledUpTo(text)]).toEqual([text, 3]);
    }
  });

  it('has at most 64 characters before its sign, and 253 behind', () => {
    const local = 'l'.repeat(64);
    expect(found(`${local}@example.org`)).toEqual([`${local}@example.org`]);
    expect(found(`x${local}@example.org`)).toEqual([`${local}@example.org`]);
    const labels = Array.from({ length: 4 }, () => 'd'.repeat(61)).join('.');
    const domain = `${labels}.${'t'.repeat(5)}`;
    expect(found(`a@${domain}`)).toEqual([`a@${domain}`]);
    expect(domain).toHaveLength(253);
    expect(found(`a@${domain}t`)).toEqual([`a@${domain}`]);
  });

  it.each([
    [`"${'q'.repeat(64)}"@example.org`, 1],
    [`"${'q'.repeat(65)}"@example.org`, 0],
    ['"a\nb"@example.org', 0],
    ['"a\\b"@example.org', 0],
    ['""@example.org', 0],
    ['.jane@example.org', 1],
    ["'jane'@example.org", 1],
    ['jane@example.123', 0],
    ['jane@example.1a', 0],
    ['jane@localhost', 1],
    ['jane@localhosts', 0],
    ['jane@example.org--she', 1],
    ['jane@-example.org', 0],
  ])('is told from what is none: %s', (text, count) => {
    expect(found(text)).toHaveLength(count);
  });
});
