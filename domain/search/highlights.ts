import { charactersOf, wordsOf } from '../shared/words.ts';

/** A place in a text, in UTF-16 code units as JavaScript counts them: from `start`, up to and without `end`. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

interface PlacedWord extends Highlight {
  readonly word: string;
}

/** Runs of what words consist of, in any case and width. */
const RUN = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The words of a text as `wordsOf` has them, with the places where they stand. Where a run of scripts without spaces
 * makes overlapping pairs, so do the places.
 */
export const placedWords = (text: string): readonly PlacedWord[] => {
  const placed: PlacedWord[] = [];
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    const words = wordsOf(run);
    if (words.length === 1) placed.push({ word: words[0]!, start, end: start + run.length });
    else if (words.length > 1) placed.push(...pairsOf(run, start, new Set(words)));
  }
  return placed;
};

/** Neighbours that make one of the words together, and single characters that are one. */
const pairsOf = (run: string, start: number, words: ReadonlySet<string>): readonly PlacedWord[] => {
  const characters = charactersOf(run);
  let at = start;
  return characters.flatMap((character, i) => {
    const from = at;
    at += character.length;
    const next = characters[i + 1] ?? '';
    return [character + next, character].flatMap((part): readonly PlacedWord[] => {
      const [word = ''] = wordsOf(part);
      return words.has(word) && wordsOf(part).length === 1
        ? [{ word, start: from, end: from + part.length }]
        : [];
    });
  });
};

/** Where words stand that `matches` lets pass, in the order of the text, at most `most`; places that touch are one. */
export const highlightsOf = (
  placed: readonly PlacedWord[],
  matches: (word: string) => boolean,
  most: number,
): readonly Highlight[] => {
  const found: { start: number; end: number }[] = [];
  for (const { word, start, end } of placed) {
    if (!matches(word)) continue;
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (found.length === most) break;
    else found.push({ start, end });
  }
  return found;
};
