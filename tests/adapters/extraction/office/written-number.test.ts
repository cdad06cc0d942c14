import { describe, expect, it } from 'vitest';
import { PADDED, writtenNumber } from '../../../../adapters/extraction/office/list-marks.ts';

describe('a number of a list', () => {
  it.each([
    [7, 'decimal', '7'],
    [7, 'decimalZero', '07'],
    [21, 'ordinal', '21st'],
    [112, 'ordinal', '112th'],
    [28, 'lowerLetter', 'bb'],
    [1994, 'upperRoman', 'MCMXCIV'],
    [5_000, 'lowerRoman', '5000'],
    [7, `${PADDED}3`, '007'],
  ])('%i in %s is %s', (number, format, written) => {
    expect(writtenNumber(number, format)).toBe(written);
  });

  it('has no more zeros than anybody writes, whatever a document claims', () => {
    expect(writtenNumber(7, `${PADDED}900000000`)).toHaveLength(20);
  });
});
