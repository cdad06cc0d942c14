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
  // None goes on over a line.
  const lines = text.split('\n').filter((line) => MAY_HOLD.test(line));
  return [...lines.flatMap(compoundsOf), ...lines.flatMap(humpsOf)];
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
