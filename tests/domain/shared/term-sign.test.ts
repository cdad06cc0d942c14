import { describe, expect, it } from 'vitest';
import { hasTerm, isTerm, withoutSign } from '../../../domain/shared/words.ts';

describe('a term', () => {
  it('is a paragraph that ends in the sign, whatever white space stands behind it', () => {
    expect(isTerm('size ¶')).toBe(true);
    expect(isTerm('size ¶ \n')).toBe(true);
    expect(isTerm(' \n-s ¶\n--size ¶')).toBe(true);
    expect(isTerm('size¶')).toBe(false);
    expect(isTerm('size ¶ of it')).toBe(false);
  });

  it('loses its sign, and nothing else does', () => {
    expect(withoutSign('size ¶')).toBe('size');
    expect(withoutSign('size ¶ \n')).toBe('size');
    expect(withoutSign('  size ¶')).toBe('  size');
    expect(withoutSign('¶ size ')).toBe('¶ size ');
  });

  it('is in a text where it ends a line', () => {
    expect(hasTerm('size ¶\n\nHow long.')).toBe(true);
    expect(hasTerm('How long.\n\nsize ¶')).toBe(true);
    expect(hasTerm('size ¶ of it\n\nHow long.')).toBe(false);
  });
});
