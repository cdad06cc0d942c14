import { type Highlight, placedWords } from './highlights.ts';

/** Words with numbers, from 0. */
export interface NumberedWords {
  /** The words by number. */
  readonly words: readonly string[];
  /** The number of each word's initial. */
  readonly initials: readonly number[];
  /** The number of each initial. */
  readonly numbersOfInitials: ReadonlyMap<string, number>;
}

/** Texts whose words have numbers from the same numbering. */
export interface NumberedTexts {
  readonly numbering: NumberedWords;
  /** For each text its words in order, three numbers each: the word, its start and its end. */
  readonly texts: readonly Int32Array[];
}

/** Estimated memory of a word occurrence, of a text in addition to its characters, and of a new word. */
const [PLACE_BYTES, TEXT_BYTES, WORD_BYTES] = [12, 300, 150];

/**
 * Caches the words of texts, because high-ranking texts are found again and again. The cache key is the text itself,
 * so a changed text is never confused with its earlier version. When the cache is full, it is cleared and words get
 * new numbers.
 */
export const createTextWords = (maxBytes = 8 * 1024 ** 2): ((texts: readonly string[]) => NumberedTexts) => {
  let numbering = createNumbering();
  const cache = new Map<string, Int32Array>();
  let size = 0;
  const read = (text: string): Int32Array => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const before = numbering.words.length;
    const placed = placedWords(text);
    const numbers = new Int32Array(3 * placed.length);
    for (const [i, { word, start, end }] of placed.entries()) {
      numbers[3 * i] = numbering.numberOf(word);
      numbers[3 * i + 1] = start;
      numbers[3 * i + 2] = end;
    }
    cache.set(text, numbers);
    // The cached text itself may have no other reference: about one byte per character.
    size +=
      TEXT_BYTES + text.length + PLACE_BYTES * placed.length + WORD_BYTES * (numbering.words.length - before);
    return numbers;
  };
  return (texts) => {
    if (size > maxBytes) {
      numbering = createNumbering();
      cache.clear();
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

/** The ranges of words that `matches` accepts, in order, at most `max`; adjacent ranges are merged. */
export const highlightsOf = (
  text: Int32Array,
  matches: (word: number) => boolean,
  max: number,
): readonly Highlight[] => {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; at += 3) {
    if (!matches(text[at] as number)) continue;
    const [start, end] = [text[at + 1] as number, text[at + 2] as number];
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (found.length === max) break;
    else found.push({ start, end });
  }
  return found;
};
