import { textAtoms } from '../chunking/text-atoms.ts';

/** What ends in a full stop without ending a sentence: titles, initials, references. Not complete, and cannot be. */
const ABBREVIATED =
  /(?:^|[\s([])(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nos|Fig|Figs|Eq|Sec|vs|al|approx|ca|Inc|Ltd|Jr|Sr|e\.g|i\.e|cf|viz|resp|vol|pp|eds?|[Oo]p|[A-Z])\.\s*$/;
/** The same before a number alone: `p. 3`. */
const ABBREVIATED_BEFORE_NUMBER = /(?:^|[\s([])(?:p|ch|chap|art|par|para|vers?)\.\s*$/i;

/**
 * Whether a sentence goes on behind what looks like its end.
 *
 * @param ending its last dozen characters
 * @param next the two characters behind it
 */
export const isAbbreviated = (ending: string, next: string): boolean =>
  next.startsWith(' ') &&
  (ABBREVIATED.test(ending) || (/^ \d/.test(next) && ABBREVIATED_BEFORE_NUMBER.test(ending)));

/** A sentence of a text, or a line of it that is no prose. */
export type Sentence = {
  /** As it stands in the text, but for whitespace: one line, without the mark of a list item. */
  readonly text: string;
  /** Ends as a statement does. A question, a heading and a cell of a table do not. */
  readonly isStatement: boolean;
};

/** The longest sentence that is never cut by `textAtoms`. */
const LONGEST = 1_000;
/** A line shorter than this ends where its author ended it; longer ones were wrapped. */
const WRAPPED_CHARACTERS = 40;
const LIST_MARK = /^(?:[-*•‣–—>|#]+|\d{1,3}[.)]|\[\d+\])\s+/;
const LINE_OF_ITS_OWN = /^(?:\s|[-*•‣–—>|#]+\s|\d{1,3}[.)]\s)/;
/** Of a line of code: assignments, ends of statements and blocks, what a shell puts in or goes on with. */
const CODE_SIGN = /[{};\\]\s*$|\s[+:?]?=\s|\$[({]|&&/;
/** What a line of prose has not, of which it has some words, and in which its midst may end. */
const NOT_IN_PROSE = /[=;{}$\\|]/;
const PROSE_WORDS = 6;
const PROSE_OPEN_END = /[\p{L}\p{N},)"'-]$/u;
const PROSE_START = /^["'“‘(<]?\p{Ll}/u;
/** A short line also goes on in the next one where both look like the midst of a sentence. */
const OPEN_END = /[\p{L}\p{N},]\s*$/u;
const LOWER_START = /^\p{Ll}/u;
/** A number in brackets reads as a citation, also with up to three spaces around it. */
const CITATION_MARK = /\[[\d,; ]+\]/g;
const NO_CITATION = `[${'\u200A'.repeat(4)}`;
/** `env! won't`: where a small letter follows, it belongs to a name or to a quotation. UAX #29 says so of full stops. */
const MARK_WITHIN = /([!?]+)(["'”’»)\]]{0,4}[^\S\n]{1,9}\p{Ll})?/gu;
/**
 * Marks of names and code: `#!/bin/sh`, `[!a]`, `x.^2`, `".LINE"`, `if ! { a }`, `"!"`. Sentences end where white space
 * follows, or what closes them, or a letter of a script without spaces.
 */
const MARK_OF_CODE =
  /(?<![!?])[!?]+(?=[^\s!?"'”’»)\]\u00AD\p{Lo}])|\.(?=[^\s.!?"'”’»)\]\u00AD\p{L}])|(?<![\p{L}\p{N}\p{P}\u00AD])\.(?=\p{L})|(?<=["“‘(])\.(?=\p{L})|(?<=\s)[!?]+(?=[^\S\n]+[^\p{Lu}\s])|(?<=["'“‘(])[!?.](?=["'”’)])/gu;
/** A number alone behind a statement is that of a note. */
const NUMBER_OF_NOTE = /^[^\S\n]+\[?\d{1,3}\]?\s*$/;
const LONE_STOP = /\s\.(?=\s)/g;
const STATEMENT_END = /[.!。！．…۔।](?:\[[\s\d,;]+\]|[\])}"'”’»」』\s])*$/u;
const INK = /[\p{L}\p{N}]/u;
/** Behind a term of a definition, in the text of a page. */
const PERMALINK = ' ¶';
const SOFT_HYPHEN = '\u00AD';

/**
 * The sentences of a text in reading order (UAX #29). Lines that were wrapped are joined; list items, headings and
 * lines of code stay apart. What is longer than 1,000 characters is cut at words. Linear in the length.
 *
 * A bracket before a number is followed by four hair spaces: in an answer, `[3]`, `[ 3 ]` and `[W3]` are citations of its
 * own.
 * A sentence with an open backtick is left out, as everything behind it would look like code.
 */
export function sentencesOf(text: string): Sentence[] {
  const normal = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  // What splits sentences in the wrong place is masked, one character for one: the cuts are those of the original.
  const masked = maskWraps(normal)
    .replaceAll(CITATION_MARK, hidden)
    .replaceAll(MARK_OF_CODE, hidden)
    .replaceAll(MARK_WITHIN, (all, marks: string, goesOn?: string) =>
      goesOn === undefined ? all : hidden(marks) + goesOn,
    );
  const found: Sentence[] = [];
  for (const [start, end] of statements(masked)) {
    const piece = normal.slice(start, end);
    const sentence = quoted(piece);
    if (sentence === null) continue;
    if (found.at(-1)?.isStatement === true && NUMBER_OF_NOTE.test(piece)) continue;
    found.push(sentence);
  }
  return found;
}

const hidden = (marks: string): string => SOFT_HYPHEN.repeat(marks.length);

/** Nothing in it is taken for a citation. */
const FENCED = /^\s*```/;

/** A piece of a text as one line, or with its lines; null where nothing is in it, or its code does not end. */
export function quoted(piece: string, as: 'one line' | 'lines' = 'one line'): Sentence | null {
  const text =
    as === 'one line'
      ? oneLine(piece)
      : FENCED.test(piece)
        ? piece.trim()
        : withoutCitations(piece.trimEnd());
  if (!INK.test(text) || !closesItsCode(text)) return null;
  return { text, isStatement: as === 'lines' || STATEMENT_END.test(text) };
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(LIST_MARK, '');
  return withoutCitations(line.endsWith(PERMALINK) ? line.slice(0, -PERMALINK.length) : line);
}

const withoutCitations = (text: string): string => text.replaceAll(/\[\s{0,3}(?=W?\d)/g, NO_CITATION);

/** Whether code between backticks ends where it began: with a row of the same length. */
function closesItsCode(text: string): boolean {
  let fence = '';
  for (const [row] of text.matchAll(/`+/g)) {
    if (fence === '') fence = row;
    else if (fence === row) fence = '';
  }
  return fence === '';
}

/** Line breaks of wrapped lines as spaces; those that mean something as paragraph breaks. */
function maskWraps(text: string): string {
  const lines = text.split('\n');
  let masked = lines[0]!;
  for (let i = 1; i < lines.length; i += 1) {
    const [previous, line] = [lines[i - 1]!, lines[i]!];
    const isWrapped = LINE_OF_ITS_OWN.test(line) ? isSetInProse(previous, line) : goesOn(previous, line);
    masked += `${isWrapped ? ' ' : '\n'}${line}`;
  }
  return masked;
}

const goesOn = (previous: string, line: string): boolean =>
  (previous.length >= WRAPPED_CHARACTERS || (OPEN_END.test(previous) && LOWER_START.test(line))) &&
  !CODE_SIGN.test(previous) &&
  !CODE_SIGN.test(line);

/** An indented line that reads like prose goes on in the next one, as in a manual for terminals. */
const isSetInProse = (previous: string, line: string): boolean => {
  const [before, next] = [previous.trim(), line.trim()];
  if (!/^\s/.test(previous) || !isProse(before) || !PROSE_OPEN_END.test(before.slice(-1))) return false;
  return (PROSE_START.test(next) || isProse(next)) && !LIST_MARK.test(next);
};

const isProse = (line: string): boolean =>
  line.length >= WRAPPED_CHARACTERS &&
  !NOT_IN_PROSE.test(line) &&
  line.split(/\s+/, PROSE_WORDS).length === PROSE_WORDS;

/** Cut further at full stops that stand alone, as in text that was taken apart into words. */
function* statements(text: string): Generator<[number, number]> {
  for (const [start, end] of unabbreviated(text)) {
    let from = start;
    for (const { index } of text.slice(start, end).matchAll(LONE_STOP)) {
      yield [from, start + index + 2];
      from = start + index + 2;
    }
    yield [from, end];
  }
}

/** Sentences by UAX #29, joined where one ends in an abbreviation. */
function* unabbreviated(text: string): Generator<[number, number]> {
  let from = 0;
  for (const { start, end } of textAtoms(text, (part) => part.length, LONGEST)) {
    const isLong = end - from > LONGEST;
    if (!isLong && isAbbreviated(text.slice(Math.max(start, end - 12), end), text.slice(end, end + 2)))
      continue;
    yield [from, end];
    from = end;
  }
}
