import { describe, expect, it } from 'vitest';
import { definitionsOf } from '../../../domain/chunking/split-text.ts';
import { textAtoms } from '../../../domain/chunking/text-atoms.ts';

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
/** Each sentence and each term is an atom. */
const definitionsIn = (text: string) => definitionsOf(text, textAtoms(text, countWords, 100));

describe('definitions of a text', () => {
  const text = [
    'Before all. Two atoms.', // 0, 1: 4 words
    'size ¶', // 2: 2
    'How long. Or how wide.', // 3, 4: 5
    'In metres.', // 5: 2
    '-t ¶', // 6: 2
    '--tape ¶', // 7: 2
    'Of what.', // 8: 2
  ].join('\n\n');
  const size = { start: 2, body: 3, tokens: 9 };
  const tape = { start: 6, body: 8, tokens: 6 };

  it('begin with a term, or several in a row, and go on to the next one', () => {
    const { startingAt } = definitionsIn(text);
    expect([...Array(9).keys()].map(startingAt)).toEqual([
      undefined,
      undefined,
      size,
      undefined,
      undefined,
      undefined,
      tape,
      undefined,
      undefined,
    ]);
  });

  it('are known by each atom in them, and not by those before', () => {
    const { around } = definitionsIn(text);
    expect([...Array(9).keys()].map(around)).toEqual([
      undefined,
      undefined,
      size,
      size,
      size,
      size,
      tape,
      tape,
      tape,
    ]);
  });

  it('are found by their place where there are many', () => {
    const many = Array.from({ length: 9 }, (_, i) => `t${i} ¶\n\nSays so.`).join('\n\n');
    const { around } = definitionsIn(many);
    expect([...Array(18).keys()].map((atom) => around(atom)?.start)).toEqual(
      [...Array(18).keys()].map((atom) => atom - (atom % 2)),
    );
  });

  it('have terms of several lines', () => {
    const { startingAt } = definitionsIn('-s ¶\n--size ¶\n\nHow long.');
    expect(startingAt(0)).toEqual({ start: 0, body: 2, tokens: 6 });
  });

  it('are none where no paragraph ends in the sign', () => {
    for (const none of ['size\n\nHow long.', 'size\n\nHow ¶ long.', 'size ¶\nin metres\n\nHow long.']) {
      const { startingAt, around } = definitionsIn(none);
      expect([0, 1, 2].map(startingAt)).toEqual([undefined, undefined, undefined]);
      expect([0, 1, 2].map(around)).toEqual([undefined, undefined, undefined]);
    }
  });
});
