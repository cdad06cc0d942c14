import { codePageDecoder, codePageOfCharset } from '../office/code-pages.ts';
import { type OfficeText, createTextFlow } from '../office/text-flow.ts';
import { type TextRun, newRun, shownRun } from '../text-run.ts';
import { createComments } from './comments.ts';
import { CELL, createTableRows } from './table-rows.ts';
import { rtfTokens } from './rtf-tokens.ts';

/** Every rich text file begins like this. */
export const isRichText = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === '{\\rtf';

/** Groups without text of the document. Unknown groups with `\*` are skipped too. */
const LEFT_OUT = new Set(
  'fonttbl colortbl stylesheet info pict object fldinst listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl xe tc bkmkstart bkmkend template nonshppict sp'.split(
    ' ',
  ),
);
/** Groups with text, although programs that do not know them should skip them. */
const SHOWN = new Set(['shpinst', 'shptxt', 'shppict', 'annotation', 'atnauthor']);

const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tab: '\t',
    line: '\n',
    emdash: '—',
    endash: '–',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    bullet: '•',
    cell: CELL,
    nestcell: CELL,
    emspace: ' ',
    enspace: ' ',
    '~': ' ',
    _: '-',
  }),
);
/** Their text becomes a separate paragraph, wherever they are. */
const MARGINS = /^(?:header|footer)[lrf]?$/;
const ENDS = new Set(['par', 'row', 'nestrow', 'sect', 'page', '\n', '\r']);

/** Character properties by which text is left out, as bits: a hidden or deleted end of a paragraph is none either. */
const LOOKS: ReadonlyMap<string, number> = new Map(
  Object.entries({ v: 1, deleted: 2, strike: 4, striked: 8 }),
);
const ENDS_NOTHING = 1 | 2;
/** In half points, where they have a number. */
const POSITIONS: ReadonlyMap<string, TextRun['position']> = new Map([
  ['super', 'raised'],
  ['up', 'raised'],
  ['sub', 'lowered'],
  ['dn', 'lowered'],
  ['nosupersub', null],
]);
/** The number or bullet of a list item, as it is shown. */
const LIST_MARKS = new Set(['listtext', 'pntext']);

interface Group {
  readonly leftOut: boolean;
  /** Bits of `LOOKS`. */
  readonly looks: number;
  /** What its text is, if not text of a paragraph. */
  readonly is?: 'title' | 'mark';
  readonly codePage: number;
  readonly font: string | null;
  readonly position: TextRun['position'];
  /** Number of fallback characters after a Unicode character. */
  readonly fallback: number;
}

const MAX_DEPTH = 10_000;
const WESTERN = 1_252;

/**
 * Text of a rich text document, which often has the extension of a Word document: paragraphs, table rows as lines,
 * notes and headers at their position, and comments last.
 *
 * @throws {ExtractionFailure} `too_large`
 */
export const readRtf = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const flow = createTextFlow(maxCharacters);
  const groups: Group[] = [];
  const fonts = new Map<number, number>();
  const names = new Map<number, string>();
  let group: Group = {
    leftOut: false,
    looks: 0,
    codePage: WESTERN,
    font: null,
    position: null,
    fallback: 1,
  };
  let [ansi, font, deeper] = [WESTERN, 0, 0];
  let [begins, starred, inFonts] = [false, false, -1];
  let [skip, begun] = [0, 0];
  let text: string[] = [];
  let waiting: number[] = [];
  let title = '';
  let isItem = false;
  const comments = createComments();
  const rows = createTableRows();

  const say = (data: string): void => {
    const { font: name, position } = group;
    text.push(shownRun({ ...newRun(), text: data, font: name, position }, text.at(-1) ?? ''));
  };
  /** A two-byte character may be split over two tokens. */
  const flush = (): void => {
    if (waiting.length > 0) say(codePageDecoder(group.codePage).decode(Uint8Array.from(waiting)));
    waiting = [];
  };
  const write = (data: string): void => {
    flush();
    if (!group.leftOut && (group.looks === 0 || data === CELL)) say(data);
  };
  const isShown = (): boolean => !group.leftOut && group.looks === 0;
  /** The title of the document, and marks of items, are groups of their own. */
  const endGroup = (outer: Group): void => {
    if (group.is === undefined || outer.is !== undefined) return;
    const said = text.splice(begun).join('').replaceAll(/\s+/g, ' ').trim();
    if (group.is === 'title') title ||= said;
    else if (text.length === 0 && said !== '') {
      // Bullets are signs, and letters of fonts of signs.
      text.push(/^(?:[^\p{L}\p{N}]+|[o§·])$/u.test(said) ? '- ' : `${said} `);
      isItem = true;
    }
  };
  const endParagraph = (): void => {
    flush();
    if (group.leftOut) return;
    if (comments.isOpen) {
      text.push(' ');
      return;
    }
    while (text.at(-1) === CELL) text.pop();
    const said = text.join('').toWellFormed();
    flow.add(said.replaceAll(/[^\S\n]+/g, ' ').trim(), isItem ? 'item' : 'paragraph');
    [text, isItem] = [[], false];
  };
  const word = (name: string, value: number | null): void => {
    if (begins && LIST_MARKS.has(name)) [group, begun] = [{ ...group, is: 'mark' }, text.length];
    if (begins && name === 'title') [group, begun] = [{ ...group, is: 'title', leftOut: false }, text.length];
    if (begins && (LEFT_OUT.has(name) || (starred && !SHOWN.has(name)))) group = { ...group, leftOut: true };
    if (begins && MARGINS.test(name)) endParagraph();
    if (begins && !group.leftOut && comments.begins(name)) {
      flush();
      comments.begin(name, groups.length, text);
      text = [];
    }
    if (!group.leftOut) rows.word(name);
    if (name === 'fonttbl') inFonts = groups.length;
    if (name === '*') starred = begins;
    else begins = false;
    if (name === 'ansicpg' && value !== null) {
      ansi = value;
      group = { ...group, codePage: ansi };
    } else if (name === 'f' && inFonts !== -1) font = value ?? 0;
    else if (name === 'fcharset' && inFonts !== -1) {
      const codePage = codePageOfCharset(value ?? 0);
      if (codePage !== null) fonts.set(font, codePage);
    } else if (name === 'f') {
      flush();
      const number = value ?? 0;
      group = { ...group, codePage: fonts.get(number) ?? ansi, font: names.get(number) ?? null };
    } else if (name === 'uc') group = { ...group, fallback: Math.min(Math.max(value ?? 1, 0), 16) };
    else if (name === 'u' && value !== null) {
      write(String.fromCharCode(value & 0xffff));
      skip = group.fallback;
      return;
    } else if (LOOKS.has(name)) {
      flush();
      const bit = LOOKS.get(name)!;
      group = { ...group, looks: value === 0 ? group.looks & ~bit : group.looks | bit };
    } else if (name === 'plain') {
      flush();
      group = { ...group, looks: 0, position: null };
    } else if (POSITIONS.has(name)) {
      flush();
      group = { ...group, position: value === 0 ? null : POSITIONS.get(name)! };
    } else if (name === 'par' && (group.looks & ENDS_NOTHING) !== 0) flush();
    else if (name === 'par' && rows.isWithin) write('\n');
    else if (ENDS.has(name)) {
      flush();
      if (name.endsWith('row')) text = rows.end(text);
      endParagraph();
    } else if (CHARACTERS.has(name)) write(CHARACTERS.get(name)!);
    else if (name === '\\' || name === '{' || name === '}') write(name);
  };

  for (const token of rtfTokens(bytes)) {
    if (token.kind === 'byte') {
      begins = false;
      if (skip > 0) skip -= 1;
      else if (isShown()) waiting.push(token.value);
      continue;
    }
    if (token.kind === 'text') {
      begins = false;
      if (inFonts !== -1 && !names.has(font))
        names.set(font, bytes.toString('latin1', token.from, token.to).split(';')[0]!.trim());
      const from = token.from + Math.min(skip, token.to - token.from);
      skip -= from - token.from;
      if (isShown()) for (let at = from; at < token.to; at += 1) waiting.push(bytes[at]!);
      continue;
    }
    if (token.kind === 'word') {
      word(token.name, token.value);
      continue;
    }
    flush();
    skip = 0;
    if (token.kind === 'open') {
      if (groups.length < MAX_DEPTH) groups.push(group);
      else deeper += 1;
      [begins, starred] = [true, false];
    } else if (deeper > 0) deeper -= 1;
    else {
      if (comments.endsAt(groups.length)) text = comments.end(text);
      const outer = groups.pop() ?? group;
      endGroup(outer);
      group = outer;
      begins = false;
      if (groups.length < inFonts) inFonts = -1;
    }
  }
  flush();
  if (comments.isOpen) text = comments.end(text);
  endParagraph();
  for (const comment of comments.lines) flow.add(comment);
  return { title: title === '' ? null : title, language: null, units: flow.finish() };
};
