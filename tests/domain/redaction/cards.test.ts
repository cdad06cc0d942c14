import { describe, expect, it } from 'vitest';
import { cardDetector, cardsSettledUpTo } from '../../../domain/redaction/detectors/card.ts';

const found = (text: string): readonly string[] =>
  cardDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

describe('the number of a card', () => {
  it.each([
    '4222222222222',
    '30569309025904',
    '378282246310005',
    '4111111111111111',
    '6304000000000000000',
    '2223 0031 2200 3222',
    '5555.5555.5555.4444',
    '5555‐5555‐5555‐4444',
    '5555–5555–5555–4444',
    '6011\u00a00009\u00a09013\u00a09424',
    '3056 930902 5904',
    '3056_930902_5904',
    '3782/822463/10005',
    '4111 111111 1111 11',
    '4111111 1111 11111',
    '4111 1111 1110 2003',
    '52003 12003 52017',
    '20031 20045 20059',
    '6304_0000_0000_0000_000',
    '4111 1111\n1111 1111',
  ])('is found as it is written: %j', (card) => {
    expect(found(card)).toEqual([card]);
    expect(found(`by ${card}, please`)).toEqual([card]);
  });

  it.each([
    ['a first digit that no card has', '1111111111111117'],
    ['another', '7111111111111111'],
    ['twelve digits', '411111111117'],
    ['twenty digits', '41111111111111111110'],
    ['a column of years', '2003 2004 2005 2003'],
    ['another one', '2002 2004 2005 2003'],
    ['a digit of its own', '4 111111111111111'],
    ['a digit of its own at its end', '4111 111111 11111 1'],
    ['two spaces between groups that no card has', '4111  111111 1111 11'],
    ['groups of eight', '41111111 11111111'],
    ['groups of eight and four', '41111111 1111 1111'],
    ['groups that no card has, with signs', '41111/11111/111111'],
    ['more than one line break', '4111\n1111 1111\n1111'],
    ['a number before it', '77-4111111111111111'],
    ['a fraction', '0.4111111111111111'],
    ['more behind it', '4111111111111111x'],
    ['an address behind it', '4111111111111111@example.org'],
    ['a short word before it', 'ab4111111111111111'],
    ['a word that goes on before it', 'no_visa4111111111111111'],
    ['what a replacement hid before it', '\f-4111111111111111'],
    ['a word that a replacement began', '\fvisa4111111111111111'],
  ])('is none with %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('may stand right behind a word, and before a line below it', () => {
    expect(found('Visa4111111111111111')).toEqual(['4111111111111111']);
    expect(found('by Visa4111111111111111')).toEqual(['4111111111111111']);
    expect(found('4111111111111111_')).toEqual(['4111111111111111']);
    expect(found('4111111111111111 4222222222222')).toEqual(['4111111111111111', '4222222222222']);
  });

  it.each([...'0123456789'])('has one check digit alone: %s', (digit) => {
    expect(found(`411111111111111${digit}`)).toHaveLength(digit === '1' ? 1 : 0);
    expect(found(`37828224631000${digit}`)).toHaveLength(digit === '5' ? 1 : 0);
  });

  it('may go on behind the last 194 characters of a text that are of numbers, and no more', () => {
    expect(cardsSettledUpTo('1'.repeat(300))).toBe(300 - 194);
  });
});
