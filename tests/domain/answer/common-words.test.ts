import { describe, expect, it } from 'vitest';
import { COMMON_TERMS, termsOf } from '../../../domain/answer/terms.ts';

describe('words that may stand in any question', () => {
  it.each([
    'keep keeps keeping kept',
    'put putting puts',
    'see seeing saw seen',
    'go going gone went',
    'give gave given',
    'hear heard hearing',
  ])('are known in all their forms: %s', (forms) => {
    expect(termsOf(forms).filter((term) => !COMMON_TERMS.has(term))).toEqual([]);
  });

  it('are known where an apostrophe cuts them', () => {
    const cut = termsOf("it isn't so, I couldn't, it hasn't, I don't, it wasn't, every other");
    expect(cut.filter((term) => !COMMON_TERMS.has(term))).toEqual([]);
  });

  it('are no things that a question may be about', () => {
    expect(termsOf('crane wall route head ran').filter((term) => COMMON_TERMS.has(term))).toEqual(['ran']);
  });
});
