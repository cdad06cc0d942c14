import { describe, expect, it } from 'vitest';
import {
  digitGroups,
  digitsOf,
  isInsideNumber,
  numberTail,
} from '../../../domain/redaction/detectors/detector.ts';

describe('groups of figures', () => {
  const groups = (text: string, most: number, start = 0) => digitGroups(text, start, most, /[ -]/y);
  const written = (text: string, most: number) => digitsOf(groups(text, most));

  it('tell where they are and what stands before them', () => {
    expect(groups('x12 3-45,6', 9, 1)).toEqual([
      { start: 1, end: 3, digits: '12', separator: '' },
      { start: 4, end: 5, digits: '3', separator: ' ' },
      { start: 6, end: 8, digits: '45', separator: '-' },
    ]);
  });

  it('are as many as have no more than the most figures altogether', () => {
    expect(written('12 345 6', 6)).toBe('123456');
    expect(written('12 345 6', 5)).toBe('12345');
    expect(written('12 345 6', 4)).toBe('12');
    expect(written('12 345 6', 1)).toBe('');
  });

  it('end where no figure follows', () => {
    expect(written('12 -34', 9)).toBe('12');
    expect(written('12 ', 9)).toBe('12');
    expect(written(`12${'x'.repeat(17)}34`, 9)).toBe('12');
    expect(written('', 9)).toBe('');
  });
});

describe('a group of figures', () => {
  const isInside = (text: string): boolean => isInsideNumber(text.replace('|', ''), text.indexOf('|'));

  it.each(
    [...' \u00a0\u2009\u202f.-\u2010\u2011\u2012\u2013'].map(
      (joint) => [joint.charCodeAt(0).toString(16), joint] as const,
    ),
  )('goes on with a number behind the joint %s', (_, joint) => {
    expect(isInside(`1234${joint}|56`)).toBe(true);
    expect(isInside(`abcd${joint}|56`)).toBe(false);
    expect(isInside(`AB12${joint}|56`)).toBe(true);
    expect(isInside(`1234${joint}${joint}|56`)).toBe(false);
  });

  it.each(['1234,|56', '1234|56', '1 |56', '|56', ' |56', '-|56', 'a-|56', '12. |56', '1234\n|56'])(
    'begins one of its own: %j',
    (text) => {
      expect(isInside(text)).toBe(false);
    },
  );

  it.each([
    '1.2.24',
    '01.02.2024',
    '01-02-2024',
    '01/02/24',
    '2024-01-02',
    '1:30',
    '12:30',
    '12:30:45',
    '1999',
    '2024',
    '7',
    '77',
    '777',
  ])('begins one of its own behind %s and a space, unless that goes on with another', (head) => {
    expect(isInside(`${head} |56`)).toBe(false);
    expect(isInside(`on ${head} |56`)).toBe(false);
    expect(isInside(`${head}-|56`)).toBe(true);
    expect(isInside(`77 ${head} |56`)).toBe(true);
    expect(isInside(`\f${head} |56`)).toBe(true);
    expect(isInside(`\f ${head} |56`)).toBe(true);
    expect(isInside(`x\f  ${head} |56`)).toBe(false);
  });

  it.each(['1777', '2199', '12345', '2024-1-2', '1.2.2', 'x77', 'é7'])(
    'goes on with a number behind %s and a space, which is no date and no year',
    (head) => {
      expect(isInside(`${head} |56`)).toBe(true);
    },
  );

  it('goes on with what a sign joins it to, which a replacement may have hidden', () => {
    expect(isInside('\f-|56')).toBe(true);
    expect(isInside('\f |56')).toBe(false);
    expect(isInside('\f\f|56')).toBe(false);
    expect(isInside('\f x,77 |56')).toBe(false);
  });

  it('is told by 34 characters before it', () => {
    expect(isInside(`1${'a'.repeat(33)} |56`)).toBe(true);
    expect(isInside(`1${'a'.repeat(34)} |56`)).toBe(false);
  });
});

describe('the number at the end of a text', () => {
  it.each([
    ['call 030-1', 60, 4],
    ['call (030) 1/2_3.4\r\n5\u00a06\u2009\u202f\u2010\u2011\u2012\u20137', 60, 4],
    ['call', 60, 4],
    ['030 1234', 4, 4],
    ['', 4, 0],
  ])('begins behind the last character that no number has: %j', (text, most, start) => {
    expect(numberTail(text, most)).toBe(start);
  });
});
