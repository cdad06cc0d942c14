import { describe, expect, it } from 'vitest';
import { cutsAnother } from '../../../domain/redaction/detectors/detector.ts';
import { cardEnd } from '../../../domain/redaction/detectors/card.ts';
import { ibanDetector, ibanShapeEnd } from '../../../domain/redaction/detectors/iban.ts';

const TEXT = 'x'.repeat(400);
const cuts = (start: number, end: number, other: readonly [number, number]): boolean =>
  cutsAnother(TEXT, { start, end }, [() => null, (_, at) => (at === other[0] ? other[1] : null)]);

describe('a finding', () => {
  it.each<readonly [boolean, number, number]>([
    [true, 190, 205],
    [true, 190, 210],
    [true, 190, 220],
    [true, 199, 201],
    [true, 200, 211],
    [true, 209, 211],
    [false, 200, 210],
    [false, 201, 209],
    [false, 190, 200],
    [false, 210, 220],
    [true, 100, 201],
    [false, 99, 201],
  ])('of 200 to 210 is none (%s) where something stronger goes from %i to %i', (is, start, end) => {
    expect(cuts(200, 210, [start, end])).toBe(is);
  });

  it('is looked at from the beginning of a text on', () => {
    expect(cuts(5, 9, [0, 6])).toBe(true);
    expect(cuts(0, 9, [8, 10])).toBe(true);
  });
});

describe('the shape of an account number', () => {
  const endOf = (text: string, at = 0) => ibanShapeEnd(text, at);

  it.each([
    ['DE89 3704 0044 0532 0130 00', 27],
    ['DE89 3704 0044 0532 0130 01', 27],
    ['DE89 3704 0044 0532 0130 01.', 27],
    ['de89 3704 0044 0532 0130 00', 27],
    ['de89 3704 0044 0532 0130 01', null],
    ['De89 3704 0044 0532 0130 01', null],
    ['DE89 3704 0044 0532 0130 0', null],
    ['DE89 3704 0044 0532 0130 0x', null],
    ['DE89 3704 0044 0532 0130 01x', null],
    ['DE 89 3704 0044 0532 0130 00', 28],
    ['DE 89 3704 0044 0532 0130 01', null],
    ['XX89 3704 0044 0532 0130 00', null],
    ['NO93 8601 1117 947', 18],
    ['no 93 men of 8601', null],
    [' DE89 3704 0044 0532 0130 00', null],
  ])('ends where its country says, be its check digits right or not: %s', (text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it('begins no word, but behind its name', () => {
    const number = 'DE89370400440532013001';
    expect(
      ['iban', 'IBAN', 'x iban', ' '].map((before) => endOf(before + number, before.length) !== null),
    ).toEqual([true, true, true, true]);
    expect(['x', 'xiban', 'ban', '4'].map((before) => endOf(before + number, before.length))).toEqual(
      Array(4).fill(null),
    );
  });
});

describe('of a text that may go on', () => {
  it.each([
    ['to D', 3],
    ['to DE', 3],
    ['to DE8', 3],
    ['to DE89 3704\r', 3],
    ['to DE89 3704\r\n', 3],
    ['to DE89 3704 0044 0532 0130 00', 3],
    ['to DE89 3704 0044 0532 0130 00 ', 31],
    ['to DE89\n3704\n', 3],
    ['to DE89\n3704\n0', 14],
    ['to XX89', 7],
    ['to DE89 3704\r05.', 16],
    ['to DEAD', 7],
    ['to 89', 5],
    ['xDE89', 5],
    ['', 0],
  ])('an account number that may have begun is held back: %j', (text, settled) => {
    expect(ibanDetector.settledUpTo(text)).toBe(settled);
  });

  it('one is held back for as long as the longest is, with a wide separator between all its characters', () => {
    const wide = `LC  ${[...'55HEMM0001000100120012000230'].join('  ')}`;
    expect(ibanDetector.settledUpTo(`. ${wide}`)).toBe(2);
  });
});

describe('the number of a card', () => {
  it.each([
    ['4111111111111111', 0, 16],
    ['4111 1111 1111 1111 2', 0, 19],
    ['x 4111111111111111', 2, 18],
    ['4111111111111111', 1, null],
    ['14111111111111111', 1, null],
    ['', 0, null],
  ])('ends with its check digit: %j from %i on', (text, at, end) => {
    expect(cardEnd(text, at)).toBe(end);
  });
});
