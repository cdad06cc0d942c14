import { describe, expect, it } from 'vitest';
import { phoneDetector } from '../../../domain/redaction/detectors/phone.ts';

describe('phones', () => {
  const found = (text: string): readonly string[] =>
    phoneDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  describe('a telephone number of a country', () => {
    it.each([
      ['138 0013 8000', '128 0013 8000', 'China'],
      ['13800138000', '12800138000', 'China'],
      ['98765 43210', '58765 43210', 'India'],
      ['347 1234567', '317 1234567', 'Italy'],
      ['347 123 4567', '117 123 4567', 'Italy'],
      ['91 123 45 67', '99 123 45 67', 'Spain'],
      ['412 34 567', '412 34-567', 'Norway'],
      ['11 91234-5678', '11 91234 5678', 'Brazil'],
      ['8 495 123-45-67', '8 195 123-45-67', 'Russia'],
      ['8 495 1234567', '7 849 5123456', 'Russia'],
      ['415 555 2671', '115 555 2671', 'North America'],
      ['1-415-555-2671', '2-415-555-2671', 'North America'],
    ])('is told by the way it is written: %s, and not %s (%s)', (number, other) => {
      expect(found(`at ${number}, or`)).toEqual([number]);
      expect(found(`at ${other}, or`)).toEqual([]);
    });

    it.each([
      ['+4930901820', true],
      ['+49 30 901820', true],
      ['+49 (0)30 / 90 18 20', true],
      ['(+49) 30 901820', true],
      ['+123456', false],
      ['+1234567', true],
      ['+123456789012345', true],
      ['+1234567890123456', false],
      ['0049 30 9018', true],
      ['0049 3090', false],
      ['0049 30901', true],
      ['0000 30 901820', false],
      ['+49 1 7 0 1 2 3 4 5', true],
      ['0049 1 7 0 1 2 3 4 5', true],
      ['030901820', true],
      ['03090182', false],
      ['0309 0182', true],
      ['030 901', false],
      ['0 30901820', false],
      ['030901820123', true],
      ['0309018201234', false],
      ['030 - 901820', true],
      ['030–901820', true],
      ['(030) 901820', true],
      ['03 09 01 82 01 23', true],
    ])('is dialled with a sign or a zero before it: %s is %s', (number, is) => {
      expect(found(`at ${number}, or`)).toEqual(is ? [number] : []);
    });

    it.each([
      '01.02.2024',
      '2024-01-02',
      '01/02/24',
      '030901820@example.org',
      'p/030901820',
      '01.02.2024 8',
      '010.20.30.40',
      '030901820x',
      'a-030901820',
      '1,030901820',
      '3.030901820',
      '£030901820',
    ])('is no date, address, amount or part of something: %s', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  describe('a number that a word announces', () => {
    it.each(
      `order orders invoice ticket case account customer isbn issn ean sku item article part serial code id ids ref
      reference version v pin zip plz build byte bytes model row line page pages people times units usd eur`
        .split(/\s+/)
        .map((word) => [word] as const),
    )('is none where it is of something else: %s', (word) => {
      expect(found(`call ${word} 4155552671`)).toEqual([]);
      expect(found(`call ${word}x 4155552671`)).toEqual(
        /^(?:ref|reference)$/.test(word) ? [] : ['4155552671'],
      );
    });

    it.each([
      ['612345678', true],
      ['61 23 45 67', true],
      ['612345', false],
      ['6123456', true],
      ['612345678901', true],
      ['6123456789012', false],
      ['6 12345678', false],
      ['2023 2024', false],
      ['2023 4567', true],
    ])('has seven to twelve figures, in groups that are no date and no amount: %s is %s', (number, is) => {
      expect(found(`call ${number}.`)).toEqual(is ? [number] : []);
    });

    it('is found on the same line, shortly behind the word, and behind no other number', () => {
      const behind = (length: number) => found(`call${'. '.repeat(20).slice(-length)}4155552671`).length;
      expect([behind(31), behind(32), behind(33)]).toEqual([1, 1, 0]);
      expect(found(`${'x'.repeat(60)} call 4155552671`)).toEqual(['4155552671']);
      const long = `telefonverzeichnis${' '.repeat(30)}4155552671`;
      expect([found(long).length, found(`${'x'.repeat(60)}${long}`).length]).toEqual([1, 0]);
      expect(found('call\n4155552671')).toEqual([]);
      expect(found('call 2 or 4155552671')).toEqual([]);
      expect(found('call \f 4155552671')).toEqual([]);
    });
  });
});

describe('phone bounds', () => {
  const found = (text: string): readonly string[] =>
    phoneDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

  describe('a telephone number in a text', () => {
    it.each([
      ['+49 30 901820 +49 30 901821', '+49 30 901820', '+49 30 901821'],
      ['+49  30 901820'],
      ['+4930901820x'],
      ['415-555-2671 x', '415-555-2671'],
      ['\f.030901820'],
      ['\f030901820', '030901820'],
      ['x=030901820'],
      ['#030901820'],
      ['030.20.30.40'],
      ['030-20-30-40', '030-20-30-40'],
      ['on 01-02-2003 030 901820', '030 901820'],
      ['030 1.2.2024 5'],
      ['12345 (030) 901820', '(030) 901820'],
      ['030 901820 12345', '030 901820'],
      ['03 09 01 82 01 2 3', '03 09 01 82 01 2'],
      ['030 123-4-2024', '030 123-4-2024'],
      ['030 11-1.2024', '030 11-1.2024'],
      ['030 2024-1-11'],
      [`${'x '.repeat(12)}01/02/2024 0830`],
      ['01-02-03 030 901820', '030 901820'],
      ['06-12-34 56 78', '06-12-34 56 78'],
    ])('is all of it, and nothing beside it: %j', (text, ...numbers) => {
      expect(found(text)).toEqual(numbers);
    });
  });
});
