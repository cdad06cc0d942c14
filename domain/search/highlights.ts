import { charactersOf, isPartOfWord, isPlain, wordsOf } from '../shared/words.ts';

/** A place in a text, in UTF-16 code units as JavaScript counts them: from `start`, up to and without `end`. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

export interface PlacedWord extends Highlight {
  readonly word: string;
}

/** Runs of what words consist of, in any case and width. */
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Shorter words are not cut by `wordsOf`. */
const UNCUT = 80;

/**
 * The words of a text as `wordsOf` has them, with the places where they stand. Where a run of scripts without spaces makes
 * overlapping pairs, so do the places.
 */
export const placedWords = (text: string): readonly PlacedWord[] => {
  const placed: PlacedWord[] = [];
  if (placePlain(text, 0, placed)) return placed;
  placed.length = 0;
  let start = 0;
  // No word goes on over a line.
  for (const line of text.split('\n')) {
    const before = placed.length;
    if (!placePlain(line, start, placed)) {
      placed.length = before;
      for (const one of anyWords(line, start)) placed.push(one);
    }
    start += line.length + 1;
  }
  return placed;
};

/** By characters. False, and some of it placed, where the line is not plain. */
const placePlain = (line: string, offset: number, placed: PlacedWord[]): boolean => {
  for (let from = 0; from < line.length; from++) {
    const code = line.charCodeAt(from);
    if (code > 127) {
      if (!isPlain(line.charAt(from))) return false;
      continue;
    }
    if (!isPartOfWord(code)) continue;
    let to = from + 1;
    while (to < line.length && isPartOfWord(line.charCodeAt(to))) to++;
    const run = line.slice(from, to);
    const word = run.length <= UNCUT ? run.toLowerCase() : wordsOf(run)[0]!;
    placed.push({ word, start: offset + from, end: offset + to });
    // What ends a word may itself not be plain.
    from = to - 1;
  }
  return true;
};

const anyWords = (line: string, offset: number): readonly PlacedWord[] =>
  [...line.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const [words, start] = [wordsOf(run), offset + index];
    return words.length === 1
      ? [{ word: words[0]!, start, end: start + run.length }]
      : pairsOf(run, start, new Set(words));
  });

/** Neighbours that make one of the words together, and single characters that are one. */
const pairsOf = (run: string, start: number, words: ReadonlySet<string>): readonly PlacedWord[] => {
  const characters = charactersOf(run);
  let at = start;
  return characters.flatMap((character, i) => {
    const from = at;
    at += character.length;
    const next = characters[i + 1] ?? '';
    return [character + next, character].flatMap((part): readonly PlacedWord[] => {
      const [word = '', ...more] = wordsOf(part);
      return words.has(word) && more.length === 0 ? [{ word, start: from, end: from + part.length }] : [];
    });
  });
};
