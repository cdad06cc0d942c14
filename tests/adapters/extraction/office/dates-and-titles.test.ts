import { describe, expect, it } from 'vitest';
import { isoDate } from '../../../../adapters/extraction/office/xlsx/sheet.ts';
import { readSummaryTitle } from '../../../../adapters/extraction/office/properties.ts';

describe('the day of a number', () => {
  it.each([
    [1, '1900-01-01'],
    [1.5, '1900-01-01T12:00:00Z'],
    [59, '1900-02-28'],
    [60, null],
    [61, '1900-03-01'],
    [45_322, '2024-01-31'],
    [0.5, null],
    [0, null],
    [-1, null],
    [Number.NaN, null],
    [3_000_000, null],
  ])('is that which a spreadsheet shows, counted from 1900 (%d)', (value, day) => {
    expect(isoDate(value, false)).toBe(day);
  });

  it.each([
    [0, '1904-01-01'],
    [59, '1904-02-29'],
    [-1, null],
  ])('is that which a spreadsheet shows, counted from 1904 (%d)', (value, day) => {
    expect(isoDate(value, true)).toBe(day);
  });
});

/** A set of properties with a code page and a title ([MS-OLEPS] 2.21). */
const properties = (codePage: number, title: Buffer): Buffer => {
  const head = Buffer.alloc(48);
  head.writeUInt32LE(48, 44);
  const set = Buffer.alloc(40);
  [0, 2, 1, 24, 2, 32, 2, codePage, 0x1e, title.length].forEach((value, index) =>
    set.writeUInt32LE(value, 4 * index),
  );
  return Buffer.concat([head, set, title]);
};

describe('the title of an office file from before 2007', () => {
  it.each([
    ['UTF-16', 1_200, Buffer.from('Привет\0', 'utf16le'), 'Привет'],
    ['KOI8-R', 20_866, Buffer.from('f0d2c9d7c5d4', 'hex'), 'Привет'],
    ['ISO 8859-5', 28_595, Buffer.from('bfe0d8d2d5e2', 'hex'), 'Привет'],
    ['GB 18030', 54_936, Buffer.from('c8d5b1be', 'hex'), '日本'],
    ['windows-1251', 1_251, Buffer.from('cff0e8e2e5f2', 'hex'), 'Привет'],
    ['UTF-8', 65_001, Buffer.from('Größe'), 'Größe'],
    ['a code page that nobody knows', 4_711, Buffer.from('4772f6df65', 'hex'), 'Größe'],
  ])('is read in %s', (_, codePage, bytes, title) => {
    expect(readSummaryTitle({ read: () => properties(codePage, bytes) })).toBe(title);
  });
});
