import { GOES_ON, isTerm, withoutSign } from '../shared/words.ts';
import { termOfRow } from './term-of-row.ts';
import { type Sentence, sentencesOf, quoted } from './sentences.ts';

/** Where code stands between fences, with these: from, and up to; in order. What has no end is none. Linear in the length. */
function fencedIn(text: string): readonly (readonly [number, number])[] {
  const lines = linesOf(text);
  // The last line that ends each kind: without one behind it, a fence is looked for no further.
  const last = new Map<string, number>();
  for (const [i, { line }] of lines.entries()) if (FENCES.has(line)) last.set(line, i);
  const found: (readonly [number, number])[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const { line, start } = lines[i]!;
    const fence = line.slice(0, 3);
    if ((last.get(fence) ?? -1) <= i) continue;
    let end = i + 1;
    while (lines[end]!.line !== fence) end += 1;
    found.push([start, lines[end]!.end]);
    i = end;
  }
  return found;
}

const FENCES: ReadonlySet<string> = new Set(['```', '~~~']);

/** Lines without the blanks around them, and where they begin and end. */
function linesOf(text: string): readonly { line: string; start: number; end: number }[] {
  let start = 0;
  return text.split('\n').map((whole) => {
    const place = { line: whole.trim(), start, end: start + whole.length };
    start = place.end + 1;
    return place;
  });
}

/** A piece of a text that an answer may quote, and where it stands. */
export type Unit = Sentence & {
  /** The headings or definition terms right above its section, the nearest last; none before the first. */
  readonly leads: readonly string[];
  /** What its row is read under: the first row of its table. */
  readonly header?: string;
  /** The row of a table by itself that its section explains, such as `tape_size | type: integer | default: 4`. */
  readonly row?: string | undefined;
  /** Counts the headings of the text up to it. */
  readonly section: number;
  /** Whether it is the first statement of its section. */
  readonly opens: boolean;
  /** Whether its section is the definition of a term that is signed as one; absent where not. */
  readonly isOfTerm?: boolean | undefined;
};

/** Longer lines are no headings. */
const MAX_HEADING = 100;
/** A longer list item is taken sentence by sentence, and longer code is no quotation. */
const MAX_WHOLE = 600;
/** Of several headings in a row: the names of one option; of a table of contents not all. */
const MAX_LEADS = 3;
const LIST_ITEM = /^[^\S\n]*(?:[-*•‣–—]|\d{1,3}[.)])[^\S\n]+\S/;
const ROW = /\S \| \S|^\s*\|.*\|\s*$/;
const RULE_OF_TABLE = /^[\s|:-]+$/;
const CODE_LINE = /^(?: {4}|\t|\$ |>>> |\.\.\. )/;
const QUESTION_END = /[?？؟]$/u;
const HEADING_END = /[^.!?。！？．…؟۔।,;]$/u;

/**
 * The pieces of a text in reading order: sentences; list items, rows of tables and blocks of code as a whole.
 * What stands in them is as `sentencesOf` has it; code keeps its lines.
 */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let leads: string[] = [];
  let row: string | undefined;
  let section = 0;
  let isAfterHeading = false;
  let hasOpened = false;
  let terms: readonly string[] = [];
  const blocks = [...blocksOf(text.toWellFormed().replaceAll(/\r\n?|[\u2028\u2029]/g, '\n'))];
  for (const [i, block] of blocks.entries()) {
    const isSigned = isTerm(block);
    const isHead = isSigned || isHeading(block, blocks[i - 1], blocks[i + 1]);
    // A heading within a definition begins none, and belongs to it.
    const isWithin = terms.length > 0 && !isSigned;
    if (isHead) {
      const isOneOfSeveral = isAfterHeading && (!isSigned || terms.length === 0 || isTerm(blocks[i - 1]!));
      const above = isOneOfSeveral ? leads : isWithin ? terms : [];
      leads = [...above, isSigned ? withoutSign(block.trim()) : block.trim()].slice(-MAX_LEADS);
      if (isSigned) terms = leads;
      if (!isOneOfSeveral && !isWithin) section += 1;
      hasOpened &&= isWithin;
      row = undefined;
    }
    if (isWithin && block.trim() === GOES_ON) hasOpened = true;
    isAfterHeading = isHead;
    const isCell = isHead || isWithin || ROW.test(blocks[i + 1] ?? '|x|');
    const term = isCell ? null : termOfRow(block);
    if (term !== null) {
      leads = [term];
      row = block.trim();
      section += 1;
      hasOpened = false;
    }
    for (const piece of isAfterHeading ? headingOf(block) : piecesOf(block)) {
      const opens: boolean = !hasOpened && piece.isStatement && term === null;
      hasOpened ||= opens;
      const isOfTerm = terms.length > 0 || undefined;
      units.push({ ...piece, leads: isAfterHeading ? [] : leads, row, section, opens, isOfTerm });
    }
  }
  return units;
}

/** Paragraphs, and code between fences with its blank lines. */
function* blocksOf(text: string): Generator<string> {
  let from = 0;
  for (const [start, end] of fencedIn(text)) {
    yield* paragraphs(text.slice(from, start));
    yield text.slice(start, end);
    from = end;
  }
  yield* paragraphs(text.slice(from));
}

const paragraphs = (text: string): readonly string[] =>
  text.split(/\n[^\S\n]*\n/).filter((block) => block.trim() !== '');

function isHeading(block: string, before = '', behind = ''): boolean {
  const line = block.trim();
  if (line.includes('\n') || line.length > MAX_HEADING || CODE_LINE.test(block)) return false;
  if (LIST_ITEM.test(line) && !isNumbered(line, before, behind)) return false;
  return (HEADING_END.test(line) || QUESTION_END.test(line)) && !line.endsWith(':') && !ROW.test(line);
}

/** `2. Description` is a heading where no list is: no other item follows, and nothing announces it. */
const isNumbered = (line: string, before: string, behind: string): boolean =>
  NUMBERED.test(line) && behind !== '' && !LIST_ITEM.test(behind) && !/:\s*$/.test(before.slice(-ENDING));
/** Characters in which a text ends. */
const ENDING = 40;
const NUMBERED = /^\d{1,3}\.\s+\p{Lu}/u;

/** As a whole: the number before it ends in a full stop, but no sentence does there. */
function headingOf(block: string): readonly Piece[] {
  const whole = quoted(block);
  if (whole !== null) return [whole];
  const sign = withoutSign(block.trim()).trim();
  return SIGN.test(sign) ? [{ text: sign, isStatement: false }] : [];
}

/** `%*`, `&&`: what is explained may be called so. Not one sign, which may be a bullet, nor a rule of one. */
const SIGN = /^(?!(.)\1{2})[!#$%&*+./:<=>?@\\^|~-]{2,6}$/;

type Piece = Sentence & { readonly header?: string };

function piecesOf(block: string): readonly Piece[] {
  const lines = block.replace(/^\n/, '').trimEnd().split('\n');
  if (isCode(lines)) return wholeCode(lines.join('\n'));
  if (lines.length > 1 && lines.every((line) => ROW.test(line) || RULE_OF_TABLE.test(line)))
    return rowsOf(lines);
  return itemsOf(lines).flatMap((item) => {
    if (!LIST_ITEM.test(item) || item.length > MAX_WHOLE) return sentencesOf(item);
    const whole = quoted(item);
    return whole === null ? [] : [whole];
  });
}

const isCode = (lines: readonly string[]): boolean =>
  /^\s*(?:```|~~~)/.test(lines[0]!) || lines.every((line) => CODE_LINE.test(line));

/** Too long for a quotation: line by line, as it was read before. */
function wholeCode(code: string): readonly Piece[] {
  if (code.length > MAX_WHOLE) return sentencesOf(code);
  const whole = quoted(code, 'lines');
  return whole === null ? [] : [whole];
}

function rowsOf(lines: readonly string[]): readonly Piece[] {
  const first = lines[0]!;
  const isHeaded = !LABELLED.test(first);
  const header = first.length > MAX_WHOLE ? '' : first;
  return lines.flatMap((line, i) => {
    const whole = quoted(line);
    if (whole === null) return [];
    return isHeaded
      ? [{ ...whole, isStatement: i > 0, ...(i > 0 && { header }) }]
      : [{ ...whole, isStatement: true }];
  });
}

/** `Description: | Sets the …`: a table of labels and values has no heads of columns. */
const LABELLED = /^[^\S\n|]*(?:\|[^\S\n]*)?[^|\n]{1,40}:[^\S\n]*\|/;

/** The lines of each list item together; those of what is no item too. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0 || LIST_ITEM.test(line)) items.push(line);
    else items.push(`${items.pop()}\n${line}`);
  }
  return items;
}
