import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textNames } from '../../../domain/ranking/names.ts';
import { mayHaveWord } from '../../../domain/shared/words.ts';

const PROSE = 'Sets how much of it there may be before something else is done.';
const named = (line: string): readonly string[] => textNames(`${line}\n${PROSE}`);
/** A line that begins with a short name in brackets. */
const lineOf = (length: number): string => `reel (${'b'.repeat(length - 6)}`;

describe('a line above prose', () => {
  it.each([
    ['Reels', ['=reels']],
    ['async def reel(size)', ['=async_def_reel_size', '=async_def_reel', '=reel']],
    ['big reel, and others', ['=big_reel_and_others', '=big_reel']],
    ['reel: how large', ['=reel_how_large', '=reel']],
    ['reel of std::move', ['=reel_of_std_move']],
    ['reel - some tape', ['=reel_some_tape', '=reel']],
    ['reel-to-reel', ['=reel_to_reel']],
    ['reel; a tape', ['=reel_a_tape', '=reel']],
  ])('names %j: all of it, and what stands before a sign', (line, names) =>
    expect(named(line)).toEqual(names),
  );

  it.each(['reel:', 'reel (big):', 'reel (big): ', 'reel (big) =>', 'reel (big),'])(
    'names no more than its beginning where it goes on: %j',
    (line) => expect(named(line)).toEqual(['=reel']),
  );

  it.each(['reel (big);', 'reel (big) {  ', 'reel (big) \\'])('of code names nothing: %j', (line) =>
    expect(named(line)).toEqual([]),
  );

  it('has a whole name up to 100 characters, and a beginning up to 400', () => {
    const whole = (length: number) =>
      named(lineOf(length)).includes(`=reel_${'b'.repeat(Math.min(80, length - 6))}`);
    expect([100, 101].map(whole)).toEqual([true, false]);
    expect([101, 400, 401].map((length) => named(lineOf(length)))).toEqual([['=reel'], ['=reel'], []]);
  });
});

describe('lines that may have a name', () => {
  const piece = fc.constantFrom(
    'reel',
    'Tape ',
    'reel-',
    '(big)',
    ' ¶',
    '\n',
    '\n\n',
    ': ',
    'é',
    '…',
    PROSE,
    ' | ',
  );
  const anyLines = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));

  it('are all that is read, and name what they name among the others', () => {
    fc.assert(
      fc.property(anyLines, (text) => {
        const all = textNames(text);
        for (const name of all) {
          // The number of arguments stands in no text.
          const words = name.slice(1).split('_');
          for (const word of words.filter((one) => !/^\d+$/.test(one))) {
            const some = textNames(text, mayHaveWord(word));
            expect(some).toContain(name);
            expect(all).toEqual(expect.arrayContaining([...some]));
          }
        }
      }),
    );
  });

  it('are explained by those that may not', () => {
    const asked: string[] = [];
    const isReel = (line: string): boolean => asked.push(line) > 0 && line === 'reel';
    expect(textNames(`tape\n\nreel\n\n${PROSE}`, isReel)).toEqual(['=reel']);
    expect(asked).toEqual(['tape', 'reel', PROSE]);
  });
});

describe('a heading with a number', () => {
  it('is called like the rest of it too', () => expect(named('9 Reels')).toEqual(['=9_reels', '=reels']));

  it.each(['3.21: Why is it reeled?', '3.21) Why is it reeled?'])('is a question without it: %j', (line) =>
    expect(named(line)).toEqual(['=why_is_it_reeled']),
  );
});

describe('a short sentence', () => {
  it('explains what is called above it', () =>
    expect(textNames('reel [ -a ] ...\n\nSame as tape.')).toContain('=reel'));

  it.each(['same as tape.', 'Same as tape', 'Same tape.', 'Tape.'])('is none: %j', (line) =>
    expect(textNames(`reel [ -a ] ...\n\n${line}`)).toEqual([]),
  );
});

describe('a row above prose', () => {
  const ROW = 'reel | Use: tapes | Default: unset';
  it('between blank lines names what its first cell does, and nothing in a table of several', () => {
    expect(textNames(`Before.\n\n${ROW}\n\n${PROSE}`).slice(1)).toEqual(['=reel']);
    expect(textNames(`${ROW}\n\n${PROSE}`)).toEqual(['=reel']);
    expect(textNames(`${ROW}\n${PROSE}`)).not.toContain('=reel');
    expect(textNames(`tape | Use: reels\n${ROW}\n\n${PROSE}`)).not.toContain('=reel');
  });
});

describe('a definition that its sign tells', () => {
  it.each([
    [': reel (x) ¶', '=reel'],
    [': y = reel (x) ¶', '=reel'],
    [': [a, b] = reel (x, y) ¶', '=reel'],
  ])('names what is defined in %j', (line, name) => expect(named(line)).toContain(name));

  it('is no line of code', () => expect(named('y = reel (x)')).not.toContain('=reel'));
});

describe('prose above prose', () => {
  const MORE = 'which is said here in many more words than one';

  it('names what it begins with up to four words', () => {
    expect(named(`a big tape reel, ${MORE}`)).toEqual(['=a_big_tape_reel']);
    expect(named(`a very big tape reel, ${MORE}`)).toEqual([]);
  });

  it('is no code, however it ends', () => expect(named(`reel, ${MORE};`)).toContain('=reel'));
});

describe('what explains a name', () => {
  it('is prose within three lines below, not above, and empty lines are none', () => {
    expect(textNames(`${PROSE}\nreel`)).toEqual([]);
    expect(textNames(`reel\n\n \n  \n\n\t\n${PROSE}`)).toEqual(['=reel']);
    expect(textNames(`reel\none\ntwo\n${PROSE}`)).toEqual(['=reel', '=one', '=two']);
    expect(textNames(`reel\none\ntwo\nthree\n${PROSE}`)).toEqual(['=one', '=two', '=three']);
  });

  it('has eight words in its first 400 characters', () => {
    expect(textNames('reel\none two three four five six seven eight')).toContain('=reel');
    expect(textNames('reel\none two three four five six seven')).toEqual([]);
    expect(textNames(`reel\n${'b'.repeat(400)} one two three four five six seven eight`)).toEqual([]);
  });
});
