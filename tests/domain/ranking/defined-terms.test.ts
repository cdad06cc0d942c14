import { describe, expect, it } from 'vitest';
import { withDefinitions, definesTerm, termAsked } from '../../../domain/ranking/defined.ts';
import { textNames } from '../../../domain/ranking/names.ts';

describe('a signed term', () => {
  it.each([
    ['size ¶\n\nTags: tape', '=size'],
    ['size (integer) ¶\n\nGrammar: size n;', '=size'],
    ['size { ¶\n\n4', '=size'],
    ['size: ¶\n\n4', '=size'],
    ['-s ¶\n\n--big-size ¶\n\n4', '=big_size'],
  ])('names what it names, whatever stands below: %j', (text, name) => {
    expect(textNames(text)).toContain(name);
    expect(definesTerm(text, name)).toBe(true);
  });

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

describe('a query that says nothing but a name', () => {
  it.each([
    ['recursion', '=recursion'],
    ['max-tape-size', '=max_tape_size'],
    ['What is the default of max-tape-size?', '=max_tape_size'],
    ['what does recursion do', '=recursion'],
    ['default value', '=default_value'],
    ['one two three four five', '=one_two_three_four_five'],
    ['one two three four five six', null],
    ['', null],
  ])('asks for it: %j', (query, name) => expect(termAsked(query)).toBe(name));

  const hits = ['recursion of tapes', 'recursion ¶\n\nHow often.', 'recursion ¶\n\n…\n\nIt goes on.'];
  const raisedBy = (query: string, texts: readonly string[]): readonly number[] =>
    withDefinitions(
      query,
      texts.map((text) => ({ text, score: 0.5 })),
      0.2,
    ).map((score) => score - 0.5);

  it('puts forward what has it as a signed term, where five hits have it at most', () => {
    expect(raisedBy('recursion', hits)).toEqual([0, expect.closeTo(0.2), 0]);
    expect(raisedBy('What does recursion do?', hits)).toEqual([0, expect.closeTo(0.2), 0]);
    expect(raisedBy('recursion depth', hits)).toEqual([0, 0, 0]);
    expect(raisedBy('recursion', Array<string>(6).fill(hits[1]!))).toEqual(Array(6).fill(0));
  });

  it('puts forward what has it with the capitals that were typed, where one does', () => {
    const written = ['LOCAL - yes or no ¶\n\nWhere.', 'local ¶\n\nHow.'];
    expect(raisedBy('LOCAL', written)).toEqual([expect.closeTo(0.2), 0]);
    expect(raisedBy('local', written)).toEqual([0, expect.closeTo(0.2)]);
    expect(raisedBy('Local', written)).toEqual([expect.closeTo(0.2), expect.closeTo(0.2)]);
    expect(raisedBy('LOCAL', Array<string>(6).fill(written[1]!).concat(written[0]!)).at(-1)).toBeCloseTo(0.2);
  });
});
