import { charactersOf, isPartOfWord, isPlain, wordsOf } from '../shared/words.ts';

/** A range of a text in UTF-16 units: `start` inclusive, `end` exclusive. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

export interface PlacedWord extends Highlight {
  readonly word: string;
}

/** Runs of word characters, in any case and width, with marks between them that nobody sees. */
const RUN = /[\p{L}\p{M}\p{N}]+(?:[\u00ad\u2060\ufeff]+[\p{L}\p{M}\p{N}]+)*/gu;
/** `wordsOf` does not cut words up to this length. */
const UNCUT = 80;

/**
 * The words of a text as in `wordsOf`, with their ranges. In scripts without spaces, words are overlapping pairs of
 * characters, and their ranges overlap, too.
 */
export const placedWords = (text: string): readonly PlacedWord[] => {
  const placed: PlacedWord[] = [];
  if (placePlain(text, 0, placed)) return placed;
  placed.length = 0;
  let start = 0;
  // Words do not continue over a line break.
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

/** Scans characters. Returns false if the line is not plain; then some words have already been added. */
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
    // The character after a word may itself be not plain.
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

/** Pairs of adjacent characters that form one of the words, and single characters that are one. */
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
