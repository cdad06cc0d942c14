import { charactersOf, isPartOfWord, isPlain, wordsOf } from '../shared/words.ts';

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
/** Shorter words are not cut by `wordsOf`. */
const UNCUT = 80;

/**
 * Finds the words of a text as `wordsOf` has them that begin with one of these characters, with the places where they
 * stand. Where a run of scripts without spaces makes overlapping pairs, so do the places.
 */
export const wordPlacer = (initials: ReadonlySet<string>): ((text: string) => readonly PlacedWord[]) => {
  const kinds = kindsFor(initials);
  return (text) => {
    const placed: PlacedWord[] = [];
    if (placePlain(text, 0, kinds, placed)) return placed;
    placed.length = 0;
    let start = 0;
    // No word goes on over a line.
    for (const line of text.split('\n')) {
      const before = placed.length;
      if (!placePlain(line, start, kinds, placed)) {
        placed.length = before;
        placed.push(...anyWords(line, start, initials, kinds));
      }
      start += line.length + 1;
    }
    return placed;
  };
};

/**
 * By characters, and only a word that is wanted is made: this runs over all that a search answers. False, and some of it
 * placed, where the line is not plain.
 */
const placePlain = (line: string, offset: number, kinds: Uint8Array, placed: PlacedWord[]): boolean => {
  for (let from = 0; from < line.length; from++) {
    const code = line.charCodeAt(from);
    if (code > 127) {
      if (!isPlain(line.charAt(from))) return false;
      continue;
    }
    const kind = kinds[code];
    if (kind === OTHER) continue;
    let to = from + 1;
    while (to < line.length && line.charCodeAt(to) < 128 && kinds[line.charCodeAt(to)] !== OTHER) to++;
    if (kind === WANTED) {
      const run = line.slice(from, to);
      const word = run.length <= UNCUT ? run.toLowerCase() : wordsOf(run)[0]!;
      placed.push({ word, start: offset + from, end: offset + to });
    }
    // What ends a word may itself not be plain.
    from = to - 1;
  }
  return true;
};

/** What a unit of a plain text is: no part of a word, a part of one, one at which a word begins that is wanted. */
const [OTHER, PART, WANTED] = [0, 1, 2];

/** Of the units of ASCII, where words are wanted that begin with one of these, in either case. */
const kindsFor = (initials: ReadonlySet<string>): Uint8Array => {
  const kinds = Uint8Array.from({ length: 128 }, (_, code) => (isPartOfWord(code) ? PART : OTHER));
  for (const initial of initials) {
    if (!(initial.charCodeAt(0) < 128)) continue;
    kinds[initial.charCodeAt(0)] = WANTED;
    kinds[initial.toUpperCase().charCodeAt(0)] = WANTED;
  }
  return kinds;
};

const anyWords = (
  line: string,
  offset: number,
  initials: ReadonlySet<string>,
  kinds: Uint8Array,
): readonly PlacedWord[] => {
  const placed: PlacedWord[] = [];
  for (const { 0: run, index } of line.matchAll(RUN)) {
    // Most runs of most lines are ASCII, and begin as nothing that is wanted.
    if (isPlain(run) && kinds[run.charCodeAt(0)] !== WANTED) continue;
    const [words, start] = [wordsOf(run), offset + index];
    const found =
      words.length === 1
        ? [{ word: words[0]!, start, end: start + run.length }]
        : pairsOf(run, start, new Set(words));
    for (const one of found) if (initials.has(one.word[0]!)) placed.push(one);
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
      const [word = '', ...more] = wordsOf(part);
      return words.has(word) && more.length === 0 ? [{ word, start: from, end: from + part.length }] : [];
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
