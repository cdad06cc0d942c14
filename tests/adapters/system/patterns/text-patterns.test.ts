import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';

describe('patterns for texts', () => {
  it('find the first match that begins at or after an offset', () => {
    const find = textPatterns.compile('PRJ-\\d+');
    expect(find('a PRJ-12 PRJ-3', 0)).toEqual({ start: 2, end: 8 });
    expect(find('a PRJ-12 PRJ-3', 3)).toEqual({ start: 9, end: 14 });
    expect(find('a PRJ-12', 3)).toBeNull();
  });

  it('see what stands before the offset', () => {
    expect(textPatterns.compile('\\bab')('xab ab', 1)).toEqual({ start: 4, end: 6 });
    expect(textPatterns.compile('^ab')('xab', 1)).toBeNull();
  });

  for (const [pattern, reason] of [
    ['(', /missing closing/],
    ['(?=a)', /Perl|syntax/i],
    ['(a)\\1', /escape/],
    ['a*', /empty text/],
    ['(a{100}){100}', /repeat count/],
    ['a{1000}', /too large/],
  ] as const) {
    it(`are refused with the reason: ${pattern}`, () => {
      expect(() => textPatterns.compile(pattern)).toThrow(DomainError);
      expect(() => textPatterns.compile(pattern)).toThrow(reason);
    });
  }
});
