import { codePageDecoder, codePageOfCharset } from '../code-pages.ts';
import { type OfficeText, createTextFlow } from '../text-flow.ts';
import { commentLine } from '../workbook.ts';

/** Every rich text file begins like this. */
export const isRichText = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === '{\\rtf';

/** Groups without text of the document. Unknown groups with `\*` are skipped too. */
const LEFT_OUT = new Set(
  'fonttbl colortbl stylesheet info pict object fldinst listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl xe tc bkmkstart bkmkend template listtext pntext nonshppict sp'.split(
    ' ',
  ),
);
/** Groups with text, although programs that do not know them should skip them. */
const SHOWN = new Set(['shpinst', 'shptxt', 'shppict', 'annotation', 'atnauthor']);

const CELL = ' | ';

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

interface Group {
  readonly leftOut: boolean;
  readonly codePage: number;
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
  let group: Group = { leftOut: false, codePage: WESTERN, fallback: 1 };
  let [ansi, font, deeper] = [WESTERN, 0, 0];
  let [begins, starred, inFonts] = [false, false, -1];
  let skip = 0;
  let text: string[] = [];
  let waiting: number[] = [];
  const comments = createComments();

  /** A two-byte character may be split over two tokens. */
  const flush = (): void => {
    if (waiting.length > 0) text.push(codePageDecoder(group.codePage).decode(Uint8Array.from(waiting)));
    waiting = [];
  };
  const write = (data: string): void => {
    flush();
    if (!group.leftOut) text.push(data);
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
    flow.add(said.replaceAll(/[^\S\n]+/g, ' ').trim());
    text = [];
  };
  const word = (name: string, value: number | null): void => {
    if (begins && (LEFT_OUT.has(name) || (starred && !SHOWN.has(name)))) group = { ...group, leftOut: true };
    if (begins && MARGINS.test(name)) endParagraph();
    if (begins && !group.leftOut && comments.begins(name)) {
      flush();
      comments.begin(name, groups.length, text);
      text = [];
    }
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
      group = { ...group, codePage: fonts.get(value ?? 0) ?? ansi };
    } else if (name === 'uc') group = { ...group, fallback: Math.min(Math.max(value ?? 1, 0), 16) };
    else if (name === 'u' && value !== null) {
      write(String.fromCharCode(value & 0xffff));
      skip = group.fallback;
      return;
    } else if (ENDS.has(name)) endParagraph();
    else if (CHARACTERS.has(name)) write(CHARACTERS.get(name)!);
    else if (name === '\\' || name === '{' || name === '}') write(name);
  };

  for (const token of rtfTokens(bytes)) {
    if (token.kind === 'byte') {
      begins = false;
      if (skip > 0) skip -= 1;
      else if (!group.leftOut) waiting.push(token.value);
      continue;
    }
    if (token.kind === 'text') {
      begins = false;
      const from = token.from + Math.min(skip, token.to - token.from);
      skip -= from - token.from;
      if (!group.leftOut) for (let at = from; at < token.to; at += 1) waiting.push(bytes[at]!);
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
      group = groups.pop() ?? group;
      begins = false;
      if (groups.length < inFonts) inFonts = -1;
    }
  }
  flush();
  if (comments.isOpen) text = comments.end(text);
  endParagraph();
  for (const comment of comments.lines) flow.add(comment);
  return { title: null, language: null, units: flow.finish() };
};

/** Groups that are not part of the surrounding paragraph: comments, and their authors. */
const ASIDE = new Set(['annotation', 'atnauthor']);

/** Collects comments while the surrounding paragraph is suspended. */
const createComments = () => {
  const lines: string[] = [];
  let author = '';
  let open: { readonly name: string; readonly depth: number; readonly around: string[] } | null = null;
  return {
    /** Whether a group of that name begins a comment; comments are not nested. */
    begins: (name: string): boolean => open === null && ASIDE.has(name),
    /** @param around pieces of the suspended paragraph */
    begin: (name: string, depth: number, around: string[]): void => {
      open = { name, depth, around };
    },
    get isOpen(): boolean {
      return open !== null;
    },
    endsAt: (depth: number): boolean => open !== null && depth <= open.depth,
    /** @returns the pieces of the suspended paragraph */
    end: (pieces: readonly string[]): string[] => {
      const said = pieces.join('').toWellFormed();
      const { name = '', around = [] } = open ?? {};
      if (name === 'annotation') lines.push(commentLine(author, said));
      author = name === 'atnauthor' ? said : '';
      open = null;
      return around;
    },
    lines,
  };
};

/** The tokens of a rich text file (Rich Text Format 1.9.1, "RTF syntax"). */
type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | null }
  /** A character of the code page by its number, or a literal one. */
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly from: number; readonly to: number };

const [BACKSLASH, OPEN, CLOSE, QUOTE, MINUS] = [0x5c, 0x7b, 0x7d, 0x27, 0x2d];
const LONGEST_NAME = 32;
const SPECIAL = new Set([BACKSLASH, OPEN, CLOSE, 0x0a, 0x0d]);
const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Takes linear time. Skips the bytes of `\bin`. */
const rtfTokens = function* (bytes: Buffer): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at += 1;
    } else if (byte === BACKSLASH) {
      const { token, end } = control(bytes, at + 1);
      yield token;
      at = token.kind === 'word' && token.name === 'bin' ? end + Math.max(0, token.value ?? 0) : end;
    } else {
      const from = at;
      while (at < bytes.length && !SPECIAL.has(bytes[at]!)) at += 1;
      if (at > from) yield { kind: 'text', from, to: at };
      else at += 1;
    }
  }
};

const control = (bytes: Buffer, start: number): { readonly token: RtfToken; readonly end: number } => {
  const first = bytes[start];
  if (first === QUOTE) {
    const value = Number.parseInt(bytes.toString('latin1', start + 1, start + 3), 16);
    return { token: { kind: 'byte', value: value >= 0x20 ? value : 0x20 }, end: start + 3 };
  }
  if (!isLetter(first)) {
    const name = first === undefined ? '' : String.fromCharCode(first);
    return { token: { kind: 'word', name, value: null }, end: start + 1 };
  }
  let at = start;
  while (at - start < LONGEST_NAME && isLetter(bytes[at])) at += 1;
  const name = bytes.toString('latin1', start, at);
  const from = at;
  if (bytes[at] === MINUS && isDigit(bytes[at + 1])) at += 1;
  while (at - from < 11 && isDigit(bytes[at])) at += 1;
  const value = at === from ? null : Number(bytes.toString('latin1', from, at));
  if (bytes[at] === 0x20) at += 1;
  return { token: { kind: 'word', name, value }, end: at };
};
