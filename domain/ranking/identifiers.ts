import { isPlain } from '../shared/words.ts';

/**
 * Letters and digits held together by signs: `max_wal_size`, `a.b.c`, `std::move`, `2.6`, `C++`, an option such as
 * `--dry-run`, and with a hyphen or a slash what has digits too, as `E-1042`. Not words such as `well-known`: they are
 * found by their parts, and counted twice they would outweigh others.
 */
const compoundOf = (letters: string): RegExp => {
  const [letter, marked] = [`[${letters}]`, `[${letters}\\p{M}]`];
  const alternatives = [
    `--${letter}+(?:-${letter}+)*`,
    `${marked}+(?:(?:[._]|::)[${letters}\\p{M}_]+)+`,
    `(?=[${letters}-]{0,64}\\d)${letter}+(?:-${letter}+)+`,
    `${letter}+(?:\\+\\+|#)`,
  ];
  // From the beginning of a word alone: else each of its letters is tried.
  return new RegExp(`(?<!${marked})(?:${alternatives.join('|')})`, 'gu');
};
const COMPOUND = compoundOf('\\p{L}\\p{N}');
/** The same for what has nothing beyond ASCII, and much faster. */
const ASCII_COMPOUND = compoundOf('A-Za-z0-9');
const BEYOND_ASCII = /\P{ASCII}/u;
/** Words with a capital inside, or with digits and capitals: what may be written in humps. */
const HUMPED =
  /\b[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*|(?<![A-Z])[A-Z]{2,}[a-z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*/g;
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
/** What cannot hold one is not looked at twice. */
const MAY_HOLD =
  /[\p{L}\p{N}][._:#+-][\p{L}\p{N}_:+]|--[\p{L}\p{N}]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[\p{L}\p{N}]#/u;
/** Abbreviations and initials, as in e.g. and J.S. Bach, name nothing. */
const INITIALS = /^\p{L}\.\p{L}$/u;
/** Longer ones are addresses and keys, which nobody types. UTF-16 units. */
const LONGEST = 64;

/**
 * Identifiers of a text beyond its words: compounds as a whole, in lower case, and the parts of words that are written
 * in humps. Words, which `wordsOf` has, are not among them. In the order of the text, as often as they occur.
 */
export const identifiersOf = (text: string): readonly string[] => {
  const found: Identifiers = { compounds: [], humps: [] };
  // None goes on over a line.
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (!addOfPlain(text, from, to, found)) addOfAny(text.slice(from, to), found);
    from = to + 1;
  }
  return [...found.compounds, ...found.humps];
};

interface Identifiers {
  readonly compounds: string[];
  readonly humps: string[];
}

const addOfAny = (line: string, { compounds, humps }: Identifiers): void => {
  if (!MAY_HOLD.test(line)) return;
  compounds.push(...compoundsOf(line));
  humps.push(...humpsOf(line));
};

/**
 * The same for a plain line, and much faster, as this runs over all that is indexed: only what stands around a sign or a
 * capital that may make one is looked at by the patterns. Answers false, and adds nothing, for another line. The signs
 * beyond ASCII that a plain line may have are no part of an identifier, and no ASCII that they may become makes one.
 */
const addOfPlain = (text: string, from: number, to: number, { compounds, humps }: Identifiers): boolean => {
  const before = [compounds.length, humps.length] as const;
  let [compoundsTo, humpsTo] = [from, from];
  let [last, secondLast] = [OTHER, OTHER];
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 && !isPlain(text.charAt(i))) {
      [compounds.length, humps.length] = before;
      return false;
    }
    const kind = KINDS[code] ?? OTHER;
    if (kind >= SIGN && i >= compoundsTo && mayJoin(kind, last, i + 1 < to ? text.charCodeAt(i + 1) : 0)) {
      const [start, end] = runAround(text, i, compoundsTo, to, IN_COMPOUND);
      for (const one of text.slice(start, end).match(ASCII_COMPOUND) ?? [])
        if (isTyped(one)) compounds.push(one.toLowerCase());
      compoundsTo = end;
    }
    const isHump =
      kind === UPPER
        ? last === LOWER || last === DIGIT
        : kind === LOWER && last === UPPER && secondLast === UPPER;
    if (isHump && i >= humpsTo) {
      const [start, end] = runAround(text, i, humpsTo, to, IN_HUMPS);
      humps.push(...humpsOf(text.slice(start, end)));
      humpsTo = end;
    }
    secondLast = last;
    last = kind;
  }
  return true;
};

/** What a unit of ASCII is in an identifier. From `SIGN` on it joins parts, or begins an option. */
const [OTHER, LOWER, UPPER, DIGIT, SIGN, HYPHEN, HASH] = [0, 1, 2, 3, 4, 5, 6];
const kindOf = (unit: string): number => {
  if (/[a-z]/.test(unit)) return LOWER;
  if (/[A-Z]/.test(unit)) return UPPER;
  if (/[0-9]/.test(unit)) return DIGIT;
  if (/[._:+]/.test(unit)) return SIGN;
  return unit === '-' ? HYPHEN : unit === '#' ? HASH : OTHER;
};
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
const unitsIn = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
/** What compounds are made of, and what tells where words in humps begin and end. */
const IN_COMPOUND = unitsIn(/[A-Za-z0-9._:#+-]/);
const IN_HUMPS = unitsIn(/\w/);

/** As `MAY_HOLD` has it. */
const mayJoin = (kind: number, last: number, next: number): boolean => {
  const after = next > 127 ? OTHER : (KINDS[next] as number);
  const isPart = after >= LOWER && after <= DIGIT;
  if (last >= LOWER && last <= DIGIT) return kind === HASH || isPart || (after === SIGN && next !== DOT);
  return kind === HYPHEN && last === HYPHEN && isPart;
};
const DOT = 46;

/** Where the run of such units around one begins and ends. */
const runAround = (
  text: string,
  at: number,
  from: number,
  to: number,
  units: Uint8Array,
): readonly [number, number] => {
  let [start, end] = [at, at + 1];
  while (start > from && units[text.charCodeAt(start - 1)] === 1) start--;
  while (end < to && units[text.charCodeAt(end)] === 1) end++;
  return [start, end];
};

/** The compounds alone: a query in humps asks for the word as it stands. */
export const compoundsOf = (text: string): readonly string[] => {
  const found = BEYOND_ASCII.test(text) ? text.normalize('NFKC').match(COMPOUND) : text.match(ASCII_COMPOUND);
  return (found ?? []).filter(isTyped).map((compound) => compound.toLowerCase());
};

const isTyped = (compound: string): boolean => compound.length <= LONGEST && !INITIALS.test(compound);

const humpsOf = (text: string): readonly string[] =>
  (text.match(HUMPED) ?? []).flatMap((word) => {
    const parts = word.length <= LONGEST ? (word.match(HUMPS) ?? []) : [];
    return parts.length > 1 ? parts.filter(({ length }) => length > 1).map((part) => part.toLowerCase()) : [];
  });
