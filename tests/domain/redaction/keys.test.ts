import { describe, expect, it } from 'vitest';
import { keyDetector, LONGEST_KEY } from '../../../domain/redaction/detectors/key.ts';

const found = (text: string): readonly string[] =>
  keyDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
/** Drawn by lot; twenty characters, the least that counts. */
const TOKEN = 'q3ZpX0vT9mKc4RwB7sYh';
const HEAD = '-----BEGIN PRIVATE KEY-----';
const END = '-----END PRIVATE KEY-----';

describe('a token', () => {
  it.each([
    [`is ${TOKEN}.`, TOKEN],
    [`is ${TOKEN}...`, TOKEN],
    [`is ${TOKEN}-`, TOKEN],
    [`is ${TOKEN}=`, `${TOKEN}=`],
    [`is ${TOKEN}==`, `${TOKEN}==`],
    [`is ${TOKEN}===`, TOKEN],
    [`is ${TOKEN}=.`, TOKEN],
    [`x-token_of.me=${TOKEN}`, TOKEN],
    [`${'n'.repeat(40)}=${TOKEN}`, TOKEN],
    [`(${TOKEN.slice(1)})`],
    [`is ${TOKEN}\f`],
    [`is \f${TOKEN}`],
    [`${TOKEN}, ${TOKEN}`, TOKEN, TOKEN],
    [`${TOKEN}${'.'.repeat(8)}`, TOKEN],
    [`${TOKEN}${'.'.repeat(9)}`, `${TOKEN}.`],
    [`sk-${'a'.repeat(16)}=`, `sk-${'a'.repeat(16)}=`],
  ])('is found without its name and the end of its sentence: %j', (text, ...tokens) => {
    expect(found(text)).toEqual(tokens);
  });

  it('is none where the looking begins inside of it', () => {
    expect(keyDetector.find(`is ${TOKEN}${TOKEN}`, 3)).toEqual([{ start: 3, end: 43 }]);
    expect(keyDetector.find(`is ${TOKEN}${TOKEN}`, 4)).toEqual([]);
  });

  it('is judged by its first 512 characters, and found to its end', () => {
    const long = TOKEN.repeat(26).slice(0, 512);
    expect(found(`${long}${'a'.repeat(9_000)}`)).toEqual([`${long}${'a'.repeat(9_000)}`]);
    expect(found(`${'a'.repeat(512)}${long}`)).toEqual([]);
  });

  it('that a name says to be secret is found once', () => {
    expect(found(`token=${TOKEN}`)).toEqual([TOKEN]);
    expect(found(`token=${TOKEN}$%a1`)).toEqual([`${TOKEN}$%a1`]);
    expect(found(`password=${TOKEN}!`)).toEqual([`${TOKEN}!`]);
  });
});

describe('a block of PEM', () => {
  it.each([
    [`a ${HEAD}\nMIIE\n${END} b`, `${HEAD}\nMIIE\n${END}`],
    [`${HEAD}${END}`, `${HEAD}${END}`],
    [`${HEAD}\nProc-Type: 4,ENCRYPTED\n\nMIIE\n${END}`, `${HEAD}\nProc-Type: 4,ENCRYPTED\n\nMIIE\n${END}`],
    [`${HEAD}\nMI+/=\r\nIE\n\nand so on`, `${HEAD}\nMI+/=\r\nIE\n\nand`],
    [`${HEAD}\nMIIE!`, `${HEAD}\nMIIE`],
    [`${HEAD}!`, HEAD],
    [`${HEAD}\nMIIE! so\n${END}`, `${HEAD}\nMIIE`],
    [`${TOKEN} and ${TOKEN} and ${HEAD}\nMIIE\n${END}`, TOKEN, TOKEN, `${HEAD}\nMIIE\n${END}`],
    [`${HEAD}\nMIIE\n-----END CERTIFICATE-----`, `${HEAD}\nMIIE`],
    [`${HEAD}\nMI-IE\n${END}`, `${HEAD}\nMI-IE\n${END}`],
    [`${HEAD}\nMIIE\n${END}${HEAD}\nMIIE\n${END}`, `${HEAD}\nMIIE\n${END}`, `${HEAD}\nMIIE\n${END}`],
    [`-----BEGIN ${'A'.repeat(60)}-----x`, `-----BEGIN ${'A'.repeat(60)}-----x`],
    [`-----BEGIN ${'A'.repeat(61)}-----x`],
    ['-----BEGIN private KEY-----\nMIIE'],
    ['----BEGIN PRIVATE KEY-----\nMIIE'],
    ['-----BEGIN PRIVATE KEY----\nMIIE'],
  ])('goes to its end, or as far as base64 does: %j', (text, ...blocks) => {
    expect(found(text)).toEqual(blocks);
  });

  it('is told from the token that stands right before or behind it', () => {
    expect(found(`${TOKEN}${HEAD}\nMIIE\n${END}`)).toEqual([TOKEN, `${HEAD}\nMIIE\n${END}`]);
    expect(found(`a ${HEAD}\nMIIE\n${END} ${TOKEN}`)).toEqual([`${HEAD}\nMIIE\n${END}`, TOKEN]);
  });

  it('without an end has a bounded length', () => {
    const [{ start, end } = { start: 0, end: 0 }] = keyDetector.find(`${HEAD}\n${'M'.repeat(20_000)}`, 0);
    expect(end - start).toBe(LONGEST_KEY);
    const endOf = (at: number) => keyDetector.find(`${HEAD}${'M'.repeat(at - HEAD.length)}${END}`, 0)[0]?.end;
    expect(endOf(LONGEST_KEY - 1)).toBe(LONGEST_KEY - 1 + END.length);
    expect([endOf(LONGEST_KEY), endOf(LONGEST_KEY + 9)]).toEqual([LONGEST_KEY, LONGEST_KEY]);
  });
});

describe('of a text that may go on', () => {
  const settled = (text: string) => keyDetector.settledUpTo(text);

  it.each([
    ['the token', 'a sk-abc', 2],
    ['the value of a name', 'pw=ab!c', 0],
    ['a block', `a ${HEAD}\nMII `, 2],
    ['the beginning of a block', 'a -----BEGIN PRIV', 2],
    ['a block far behind', `${'a '.repeat(9_000)}${HEAD}\nMII `, 18_000],
    ['a block with heads', `${HEAD}\nProc-Type: 4,ENCRYPTED\n\nMIIE MIIE `, 0],
    ['the beginning of a block far behind', `${'a '.repeat(50)}-----BEGIN PRIV`, 100],
    ['the beginning of a block of 80 characters', `-----BEGIN ${'A '.repeat(34)} `, 0],
    ['a block that is as long as one may be', `${HEAD} ${' '.repeat(LONGEST_KEY - HEAD.length - 2)}`, 0],
    ['what stands right before a block', `a b${HEAD}\nMII `, 2],
  ])('%s is held back', (_, text, from) => {
    expect(settled(text)).toBe(from);
  });

  it.each([
    ['words', 'a b '],
    ['a block that is over', `${HEAD}\nMIIE\n${END}\n`],
    ['a block that no block is', `${HEAD}\nMIIE! `],
    ['a block that is longer', `${HEAD} ${' '.repeat(LONGEST_KEY - HEAD.length - 1)}`],
    ['a beginning of 81 characters', `-----BEGIN ${'A '.repeat(35)}`],
    ['a beginning that is none', `-----BEGIN ${'a '.repeat(35)}`],
    ['a block without an end', `${HEAD}\n${'MIIE '.repeat(3_300)}`],
  ])('%s are settled', (_, text) => {
    expect(settled(text)).toBe(text.length);
  });

  it('of a block that is over its last word alone is held back', () => {
    expect(settled(`${HEAD}\nMIIE\n${END}`)).toBe(HEAD.length + 6 + '-----END PRIVATE '.length);
    expect(settled(`${HEAD}\nMIIE\n${END.slice(0, -1)}`)).toBe(0);
  });

  it('a token is held back for as long as one may be', () => {
    expect(settled('a'.repeat(LONGEST_KEY))).toBe(0);
    expect(settled('a'.repeat(LONGEST_KEY + 1))).toBe(1);
    expect(settled('!'.repeat(258))).toBe(0);
    expect(settled('!'.repeat(259))).toBe(1);
  });
});
