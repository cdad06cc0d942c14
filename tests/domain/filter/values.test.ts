import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readDate,
  readDateTime,
  commonType,
  readOperand,
  storedValue,
} from '../../../domain/filter/value.ts';
import { compareText, hostName } from '../../../domain/filter/matches.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('the calendar of filter values', () => {
  it('reads every date as the platform does', () => {
    const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const text = date.toISOString();
        expect(readDateTime(text)).toBe(date.getTime());
        expect(readDate(text.slice(0, 10))).toBe(Date.parse(text.slice(0, 10)));
      }),
    );
  });

  it('applies offsets and cuts digits below a millisecond', () => {
    expect(readDateTime('2024-02-29T12:00:00+09:00')).toBe(Date.parse('2024-02-29T03:00:00Z'));
    expect(readDateTime('2024-02-29T00:30:00-01:45')).toBe(Date.parse('2024-02-29T02:15:00Z'));
    expect(readDateTime('2024-02-29T12:00:00.1239z')).toBe(Date.parse('2024-02-29T12:00:00.123Z'));
    expect(readDateTime('2024-02-29')).toBe(Date.parse('2024-02-29T00:00:00Z'));
  });

  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2024-02-29 23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
    ['2024-02-29t23:59:59.25Z', '2024-02-29T23:59:59.250Z'],
    ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000Z'],
  ])('reads %s as a datetime', (text, moment) => expect(readDateTime(text)).toBe(Date.parse(moment)));

  it.each(['2000-02-29', '2024-01-01', '2024-01-31', '2024-06-30', '2024-12-31'])(
    'reads %s as a date',
    (text) => expect(readDate(text)).toBe(Date.parse(text)),
  );

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-01-32',
    '2024-04-31',
    '2024-06-31',
    '2024-09-31',
    '2024-11-31',
    '1900-02-29',
    '24-01-01',
    '2024-1-1',
    'x2024-01-01',
    '2024-01-01x',
    '',
  ])('refuses %j as a date', (text) => expect(readDate(text)).toBeNull());

  it.each([
    '2024-01-01T10:00:00',
    '2024-01-01T24:00:00Z',
    '2024-01-01T10:60:00Z',
    '2024-01-01T10:00:60Z',
    '2024-01-01T10:00:00+24:00',
    '2024-01-01T10:00:00+10:60',
    '2024-01-01T10:00:00Zx',
    '2024-01-01Tx10:00:00Z',
    '2024-01-01T10:00:00.Z',
    '2024-01-01x10:00:00Z',
    '2024-02-30T10:00:00Z',
    '1704103200',
  ])('refuses %j as a datetime', (text) => expect(readDateTime(text)).toBeNull());
});

describe('the order of texts', () => {
  it('is that of their UTF-8 bytes', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('readOperand', () => {
  it.each([
    ['007', 'integer', 7],
    ['-3', 'integer', -3],
    ['9007199254740991', 'integer', Number.MAX_SAFE_INTEGER],
    ['+3', 'integer', 3],
    ['-9007199254740991', 'integer', -Number.MAX_SAFE_INTEGER],
    ['.5', 'float', 0.5],
    ['-1.', 'float', -1],
    ['+12.25', 'float', 12.25],
    ['.25', 'float', 0.25],
    ['1E+03', 'float', 1000],
    ['25e-1', 'float', 2.5],
    ['1970-01-02T00:00:00Z', 'datetime', 86_400_000],
    ['1e3', 'float', 1000],
    ['1970-01-02', 'date', 86_400_000],
  ] as const)('reads %j as %s', (text, type, value) => expect(readOperand(text, type)?.value).toBe(value));

  it.each([
    ['9007199254740993', 'integer'],
    ['3.0', 'integer'],
    ['3x', 'integer'],
    ['x3', 'integer'],
    ['1x', 'float'],
    ['1e', 'float'],
    ['.', 'float'],
    ['-1e400', 'float'],
    ['', 'integer'],
    ['1e400', 'float'],
    ['NaN', 'float'],
    ['0x10', 'float'],
    [' 1', 'float'],
    ['2024-01-01T00:00:00Z', 'date'],
    ['yesterday', 'datetime'],
    ['a\0b', 'string'],
    ['\uD800', 'string'],
  ] as const)('does not read %j as %s', (text, type) => expect(readOperand(text, type)).toBeNull());
});

describe('storedValue', () => {
  it('keeps the text of a value that cannot be read as its type, and nothing to compare', () => {
    expect(storedValue({ val: 'soon', type: 'date' })).toEqual({ text: 'soon', number: null, time: null });
    expect(storedValue({ val: 'a\0\0\uD800', type: 'string' }).text).toBe('a\uFFFD\uFFFD\uFFFD');
  });
});

describe('commonType', () => {
  it.each([
    [[], 'string'],
    [['date'], 'date'],
    [['integer', 'float'], 'float'],
    [['date', 'datetime'], 'datetime'],
    [['date', 'integer'], 'string'],
    [['integer', 'integer'], 'integer'],
    [['float', 'string'], 'string'],
    [['integer', 'string'], 'string'],
    [['datetime', 'string'], 'string'],
    [['date', 'datetime', 'string'], 'string'],
    [['integer', 'float', 'date'], 'string'],
  ] as const)('of %j is %s', (declared, type) => expect(commonType(declared)).toBe(type));
});

it.each([
  [' Docs.Example.COM ', 'docs.example.com'],
  ['..example.com..', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['Exa mple', 'exa mple'],
  ['A\0 b', 'a\uFFFD b'],
  ['', ''],
])('the host of %j is written %j', (domain, host) => expect(hostName(domain)).toBe(host));
