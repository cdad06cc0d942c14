import { folded } from '../shared/words.ts';
import type { AskedWord } from './asked-terms.ts';
import { mistakes, maxMistakes, SHORT } from './mistakes.ts';

export interface Suggestion {
  /** A word as texts have it, and the first term under which it is found. */
  readonly word: string;
  readonly term: string;
  readonly distance: number;
}

/** Words of `spelledLines`, and what of each rules out most of them without a look at its letters. */
export interface SpelledWords {
  readonly lines: string;
  /** Where the line of each begins. */
  readonly starts: Uint32Array;
  /** The rest is of the word without accents: its length, up to 255 UTF-16 units. */
  readonly lengths: Uint8Array;
  /** Its letters as a set. */
  readonly letters: Int32Array;
  /** Its first unit, and behind it its last. */
  readonly ends: Uint32Array;
}

/** Bytes that a word takes beside its line. */
const BYTES_OF_WORD = 13;
/** Added to the distance where only the stem is near: `vaccuming` to `vacuum`. */
const BY_STEM = 0.5;
const BEYOND_ASCII = /\P{ASCII}/u;

/** @param lines of `spelledLines`, or some of them */
export const spelledWords = (lines: string): SpelledWords => {
  const all = lines === '' ? [] : lines.split('\n');
  const [starts, lengths] = [new Uint32Array(all.length), new Uint8Array(all.length)];
  const [letters, ends] = [new Int32Array(all.length), new Uint32Array(all.length)];
  let start = 0;
  for (const [i, line] of all.entries()) {
    const shape = shapeOf(plain(wordOf(line)));
    starts[i] = start;
    lengths[i] = Math.min(shape.length, 255);
    letters[i] = shape.letters;
    ends[i] = (shape.first << 16) | shape.last;
    start += line.length + 1;
  }
  return { lines, starts, lengths, letters, ends };
};

/** Of memory, about: a character of Latin takes one byte, others two. */
export const bytesOfWords = ({ lines, starts }: SpelledWords): number =>
  lines.length + BYTES_OF_WORD * starts.length;

const wordOf = (line: string): string => {
  const blank = line.indexOf(' ');
  return blank < 0 ? line : line.slice(0, blank);
};

const plain = (word: string): string => (BEYOND_ASCII.test(word) ? folded(word) : word);

interface Shape {
  readonly length: number;
  /** `a` to `z` one bit each, others share them. */
  readonly letters: number;
  readonly first: number;
  readonly last: number;
}

const shapeOf = (word: string): Shape => {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  const { length } = word;
  return { length, letters, first: word.charCodeAt(0), last: word.charCodeAt(length - 1) };
};

/** Those that a word may have been meant for, in the order of their lines. */
export const nearWords = (
  { word, terms }: Pick<AskedWord, 'word' | 'terms'>,
  words: SpelledWords,
): readonly Suggestion[] => {
  const own = plain(word);
  const forms = [own, ...terms.filter((term) => term !== own)];
  const places = new Set(forms.flatMap((form) => placesNear(shapeOf(form), maxMistakes(form), words)));
  return [...places]
    .toSorted((a, b) => a - b)
    .flatMap((at) => {
      const start = words.starts[at] as number;
      const end = words.lines.indexOf('\n', start);
      const line = words.lines.slice(start, end < 0 ? undefined : end);
      const other = wordOf(line);
      const plainOther = plain(other);
      const distance = Math.min(
        ...forms.map((form, i) => mistakes(form, plainOther) + (i === 0 ? 0 : BY_STEM)),
      );
      const term = other.length === line.length ? other : line.slice(other.length + 1);
      return distance < Infinity ? [{ word: other, term, distance }] : [];
    });
};

/**
 * Those worth a closer look: their lengths and their letters differ by no more than mistakes make, as a mistake takes a
 * letter away, brings one, or both; and a wrong first letter is the only mistake, and leaves the last as it is. Calls nothing, as it passes over
 * nearly all words of a tenant.
 */
const placesNear = (
  { length, letters: own, first, last }: Shape,
  most: number,
  { lengths, letters, ends }: SpelledWords,
): readonly number[] => {
  const places: number[] = [];
  const [shortest, longest] = [length - most, length + most];
  const mayDifferAtFirst = length >= SHORT;
  for (let i = 0; i < lengths.length; i++) {
    const there = lengths[i] as number;
    if (there < shortest || there > longest) continue;
    // Bits added up in pairs, then in fours, then in bytes (Warren, "Hacker's Delight", 2012, section 5-1).
    let differing = own ^ (letters[i] as number);
    differing -= (differing >>> 1) & 0x55555555;
    differing = (differing & 0x33333333) + ((differing >>> 2) & 0x33333333);
    differing = Math.imul((differing + (differing >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    if (differing > 2 * most) continue;
    const end = ends[i] as number;
    const isNear =
      end >>> 16 === first ||
      (mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last && Math.abs(there - length) <= 1);
    if (isNear) places.push(i);
  }
  return places;
};
