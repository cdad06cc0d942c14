import { type Highlight, placedWords } from './highlights.ts';

/** Words by their numbers, from 0. */
export interface NumberedWords {
  /** Each word. */
  readonly words: readonly string[];
  /** The number of what each begins with. */
  readonly initials: readonly number[];
  /** The number of each character that words begin with. */
  readonly numbersOfInitials: ReadonlyMap<string, number>;
}

/** Texts whose words have numbers, which are those of one numbering. */
export interface NumberedTexts {
  readonly numbering: NumberedWords;
  /** Of each text the words in its order, three numbers each: of the word, where it begins and where it ends. */
  readonly texts: readonly Int32Array[];
}

/** A word of a text takes so much, a text beside its characters, and a word that is new. */
const [PLACE_BYTES, TEXT_BYTES, WORD_BYTES] = [12, 300, 150];

/**
 * Keeps the words of texts that it has read, as who ranks well is found again and again. A text is known by itself, so that
 * none that has changed is taken for another. Where there is too much, all is forgotten, and words get other numbers.
 */
export const createTextWords = (maxBytes = 24 * 1024 ** 2): ((texts: readonly string[]) => NumberedTexts) => {
  let numbering = createNumbering();
  const kept = new Map<string, Int32Array>();
  let size = 0;
  const read = (text: string): Int32Array => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const before = numbering.words.length;
    const placed = placedWords(text);
    const numbers = new Int32Array(3 * placed.length);
    for (const [i, { word, start, end }] of placed.entries()) {
      numbers[3 * i] = numbering.numberOf(word);
      numbers[3 * i + 1] = start;
      numbers[3 * i + 2] = end;
    }
    kept.set(text, numbers);
    // The text itself is kept here though nobody else may have it any more: mostly a byte for each character.
    size +=
      TEXT_BYTES + text.length + PLACE_BYTES * placed.length + WORD_BYTES * (numbering.words.length - before);
    return numbers;
  };
  return (texts) => {
    if (size > maxBytes) {
      numbering = createNumbering();
      kept.clear();
      size = 0;
    }
    return { numbering, texts: texts.map(read) };
  };
};

const createNumbering = () => {
  const [words, initials]: [string[], number[]] = [[], []];
  const numbers = new Map<string, number>();
  const numbersOfInitials = new Map<string, number>();
  return {
    words,
    initials,
    numbersOfInitials,
    numberOf: (word: string): number => {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = words.push(word) - 1;
      numbers.set(word, number);
      const initial = numbersOfInitials.get(word[0]!) ?? numbersOfInitials.size;
      numbersOfInitials.set(word[0]!, initial);
      initials.push(initial);
      return number;
    },
  };
};

/** Where words of a text stand that `matches` lets pass, in its order, at most `most`; places that touch are one. */
export const highlightsOf = (
  text: Int32Array,
  matches: (word: number) => boolean,
  most: number,
): readonly Highlight[] => {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; at += 3) {
    if (!matches(text[at] as number)) continue;
    const [start, end] = [text[at + 1] as number, text[at + 2] as number];
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (found.length === most) break;
    else found.push({ start, end });
  }
  return found;
};
