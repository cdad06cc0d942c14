import { describe, expect, it } from 'vitest';
import { textAtoms } from '../../../domain/chunking/text-atoms.ts';

const countLetters = (text: string): number => text.length;
const atomsOf = (text: string, maxTokens = 10_000): readonly string[] => {
  const atoms = textAtoms(text, countLetters, maxTokens);
  expect(atoms.map(({ start }) => start)).toEqual([0, ...atoms.slice(0, -1).map(({ end }) => end)]);
  return atoms.map(({ start, end }) => text.slice(start, end));
};
const lengthsOf = (text: string) => atomsOf(text).map(({ length }) => length);

describe('the atoms of a text', () => {
  it('are its sentences, with the space in front of them, and each paragraph tells what it counts', () => {
    const text = 'One. Two.\n\nThree.\nFour!  Five';
    expect(atomsOf(text)).toEqual(['One.', ' Two.', '\n\nThree.', '\nFour!', '  Five']);
    const paragraphs = textAtoms(text, countLetters, 100).map(({ paragraphTokens }) => paragraphTokens);
    expect(paragraphs).toEqual([9, 0, 20, 0, 0]);
  });

  it('keep a sentence of a thousand characters whole', () => {
    expect(lengthsOf(`${'word '.repeat(199)}words`)).toEqual([1_000]);
    expect(lengthsOf(`${'word '.repeat(179)}word. ${'Word '.repeat(60)}end`)).toEqual([900, 304]);
  });

  it('are groups of words of a longer sentence, cut before a space', () => {
    expect(lengthsOf('word '.repeat(240).trimEnd())).toEqual([199, 200, 200, 200, 200, 200]);
    expect(lengthsOf('word '.repeat(241).trimEnd())).toEqual([199, 200, 200, 200, 200, 200, 5]);
  });

  it('are cut at the last word that begins in the second half of what is left, where there is no space', () => {
    const path = `${'x'.repeat(149)}/`;
    expect(lengthsOf(path.repeat(8))).toEqual(Array(8).fill(150));
    expect(lengthsOf(`${'x'.repeat(99)}/${'y'.repeat(1_000)}`)).toEqual([200, 200, 200, 200, 200, 100]);
    expect(lengthsOf(`${'x'.repeat(100)}/${'y'.repeat(1_000)}`).slice(0, 2)).toEqual([101, 200]);
  });

  it('never cut a character of two units in a long word', () => {
    expect(lengthsOf(`x${'𐐨'.repeat(600)}`)).toEqual([199, 200, 200, 200, 200, 200, 2]);
  });

  it.each([
    ['𐐀𐐀𐐀', ['𐐀𐐀', '𐐀']],
    ['\u{17fff}\u{17fff}\u{17fff}', ['\u{17fff}\u{17fff}', '\u{17fff}']],
    ['ＡＡＡＡＡＡ', ['ＡＡＡ', 'ＡＡＡ']],
    ['abcd', ['abcd']],
    ['abcdefgh', ['abcd', 'efgh']],
  ])('are halves of what counts too much: %s', (text, halves) => {
    expect(atomsOf(text, 4)).toEqual(halves);
  });
});
