import { describe, expect, it } from 'vitest';
import { definesTerm } from '../../../domain/ranking/defined.ts';
import { textNames } from '../../../domain/ranking/names.ts';

describe('a signed term', () => {
  it.each(['size ¶\n\n…\n\nMore of it.', 'size ¶\n\nbig ¶\n\n…\n\nMore.'])(
    'names nothing where its definition only goes on: %j',
    (text) => {
      expect(textNames(text)).not.toContain('=size');
      expect(definesTerm(text, '=size')).toBe(false);
    },
  );

  it('is the end of a line, and the whole name', () => {
    expect(definesTerm('big size ¶\n\n4', '=size')).toBe(false);
    expect(definesTerm('size ¶ 4\n\nsort ¶\n\n4', '=size')).toBe(false);
    expect(definesTerm('reel ¶\n\n4\n\nsize ¶', '=size')).toBe(true);
    expect(definesTerm('Ｓｉｚｅ ¶\n\n4', '=size')).toBe(true);
  });

  it('names nothing that stands behind its definition', () => {
    const below = 'size\n\nIs how long the tape of a reel is.';
    expect(textNames(below)).toContain('=size');
    expect(definesTerm(`big size ¶\n\nIt is 4.\n\n${below}`, '=size')).toBe(false);
    expect(definesTerm(`big size ¶\n\nmore size ¶\n\nIt is 4.\n\n${below}`, '=size')).toBe(false);
  });
});
