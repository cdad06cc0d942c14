import { describe, expect, it } from 'vitest';
import { definesTerm, termAsked } from '../../../domain/ranking/defined.ts';
import { queryNames, textNames, nameWithArity, withoutSort } from '../../../domain/ranking/names.ts';

describe('a term with the number of its arguments', () => {
  it.each([
    ['join(?A, ?B, ?AB)', 'join/3'],
    ['join(+Lists, ?List)', 'join/2'],
    ['tapes:reel(:Goal)', 'tapes:reel/1'],
    ['int tape_get(reel_t r, int *n)', 'tape_get/2'],
    ['fold (f, {a, b}, [c, d], g(h, i))', 'fold/4'],
    ['rewind()', 'rewind/0'],
    ['rewind( )', 'rewind/0'],
    ['rewind', 'rewind/0'],
    ['open(a', 'open/1'],
    ['shut(a}, b) or shut(a, b, c)', 'shut/2'],
    ['Tapes of many reels', null],
    ['?A in ?B', null],
    ['(a, b)', null],
    ['', null],
  ])('%j is %j', (term, name) => expect(nameWithArity(term)).toBe(name));
});

describe('what says of which sort a term is', () => {
  it.each([
    ['[det]join(+A)', 'join(+A)'],
    ['[ISO] nl', 'nl'],
  ])('is left out of %j', (term, rest) => expect(withoutSort(term)).toBe(rest));

  it.each(['[a, b]', '[]', '[reel', 'join[+A]x', `[${'a'.repeat(41)}]x`])('is not in %j', (term) =>
    expect(withoutSort(term)).toBe(term),
  );
});

describe('textNames of a signed term', () => {
  it('has its name with the number of its arguments, and without its sort', () => {
    const names = textNames('[det]join(?A, ?B, ?AB) ¶\n\nJoins.\n\n[det]maybe ¶\n\nPerhaps.');
    expect(names).toEqual(expect.arrayContaining(['=join', '=join_3', '=maybe', '=maybe_0']));
  });

  it('is what a query of such a name asks for', () => {
    expect([...queryNames('join/3').keys()]).toContain('=join_3');
    const asked = termAsked('join/3')!;
    expect(definesTerm('join(?A, ?B, ?AB) ¶\n\nJoins.', asked)).toBe(true);
    expect(definesTerm('join(?A, ?B) ¶\n\nJoins.', asked)).toBe(false);
  });

  it('has no number where it is not signed', () =>
    expect(textNames('join(a, b)\n\nJoins tapes that are of one sort.')).not.toContain('=join_2'));
});
