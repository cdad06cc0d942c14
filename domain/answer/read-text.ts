import { mayHold, termsWithNames } from './asked.ts';
import { termOf, termsOf } from './terms.ts';
import { type Unit, unitsOf } from './units.ts';
import { wordsOf } from '../shared/words.ts';

/** What of a text does not depend on what is asked. */
export interface ReadText {
  /** As `unitsOf` has them. */
  readonly units: readonly Unit[];
  /** As `termsWithNames` has them, of a piece of the text or of its title. */
  readonly terms: (piece: string, names: readonly string[], isProse?: boolean) => readonly string[];
  /** Terms of each unit, in order, where no names are asked for. */
  readonly plain: () => readonly (readonly string[])[];
  /** What is made of all units, or of what units stand under, once: by this maker, and with the text from then on. */
  readonly once: <Of extends object, T>(of: Of, make: (of: Of) => T) => T;
}

/** Reads a text; answers the same for the same text. */
export type ReadTextOf = (text: string) => ReadText;

/** Reads it anew each time. */
export const readText: ReadTextOf = (text) => readWith(text, termsOf);

/** Bytes of memory that a text takes that was read, for each of its characters: measured on manuals. */
const BYTES_BY_CHARACTER = 16;
/** And each text beside. */
const BYTES_OF_TEXT = 500;
/**
 * Pieces of a text whose terms are kept with it, for each of its units: itself, what it stands under, and each once more
 * in small letters. Titles come along, and a text may stand under any number of them.
 */
const PIECES_BY_UNIT = 6;
/** Words whose terms are kept, some 100 bytes each. */
const MAX_WORDS = 50_000;

/**
 * Keeps texts that it has read, of those last asked for as many as fit, about: who ranks well is found again and again.
 * A text is known by itself, so that none that has changed is taken for another.
 */
export const createTextReader = (maxBytes = 32 * 1024 ** 2): ReadTextOf => {
  const kept = new Map<string, ReadText>();
  const terms = createTermReader();
  let size = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) kept.delete(text);
    else size += bytesOf(text);
    const read = known ?? readWith(text, terms);
    kept.set(text, read);
    for (const oldest of kept.keys()) {
      if (size <= maxBytes) break;
      kept.delete(oldest);
      size -= bytesOf(oldest);
    }
    return read;
  };
};

const bytesOf = ({ length }: string): number => BYTES_OF_TEXT + BYTES_BY_CHARACTER * length;

type TermsOf = (text: string) => readonly string[];

/** As `termsOf`. Equal terms are one string, which takes the memory of one. */
const createTermReader = (): TermsOf => {
  const known = new Map<string, string | null>();
  const ofWord = (word: string): string | null => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const term = termOf(word);
    if (known.size >= MAX_WORDS) known.clear();
    known.set(word, term);
    return term;
  };
  return (text) => {
    const terms: string[] = [];
    for (const word of wordsOf(text)) {
      const term = ofWord(word);
      if (term !== null) terms.push(term);
    }
    return terms;
  };
};

const readWith = (text: string, read: TermsOf): ReadText => {
  const units = unitsOf(text);
  const most = PIECES_BY_UNIT * (units.length + 1);
  const known = new Map<string, readonly string[]>();
  const terms = (piece: string): readonly string[] => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    const made = read(piece);
    if (known.size >= most) known.clear();
    known.set(piece, made);
    return made;
  };
  const derived = new Map<object, unknown>();
  let plain: readonly (readonly string[])[] | null = null;
  return {
    units,
    plain: () => (plain ??= units.map((unit) => terms(unit.text))),
    once: <Of extends object, T>(of: Of, make: (one: Of) => T): T => {
      const found = derived.get(of) as T | undefined;
      if (found !== undefined) return found;
      const made = make(of);
      derived.set(of, made);
      return made;
    },
    terms: (piece, names, isProse = false) => {
      if (names.length === 0) return terms(piece);
      const lower = piece.toLowerCase();
      return mayHold(lower, names, isProse) ? termsWithNames(piece, names, isProse) : terms(lower);
    },
  };
};
