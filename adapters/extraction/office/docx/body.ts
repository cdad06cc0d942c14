import { markdownTable } from '../../markdown-table.ts';
import { type XmlAttributes, type XmlHandler, handlers, readXml } from '../../xml/read-xml.ts';
import type { TextFlow } from '../text-flow.ts';
import { readFields } from './fields.ts';
import type { Lists } from './numbering.ts';
import type { ParagraphStyle } from './styles.ts';

export interface BodyContext extends ParagraphContext {
  /** Text of a note that a paragraph references; null when it is missing. */
  readonly note: (kind: 'footnote' | 'endnote', id: string) => string | null;
  /** A drawing at this position, by its relationship id. */
  readonly drawing: (relation: string) => void;
}

interface Table {
  readonly rows: string[][];
  /** Null between cells. */
  cell: string[] | null;
  span: number;
}

/** Not text of the document: deleted or moved text, and fallbacks for older programs. */
const LEFT_OUT = new Set([
  'del',
  'moveFrom',
  'delText',
  'delInstrText',
  'Fallback',
  'rt',
  'pPrChange',
  'rPrChange',
]);

/** Reads paragraphs, lists and tables in order (ECMA-376-1, clause 17) into a flow. */
export const readBody = (xml: string, flow: TextFlow, context: BodyContext): void => {
  const paragraphs: Paragraph[] = [];
  const tables: Table[] = [];
  const parents: string[] = [];
  let leftOut = 0;

  const write = (data: string): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && leftOut === 0) paragraph.text += data;
  };
  const endParagraph = (): void => {
    const paragraph = paragraphs.pop();
    if (paragraph === undefined) return;
    const cell = tables.at(-1)?.cell;
    if (cell === undefined || cell === null) addParagraph(paragraph, flow, context);
    else {
      const line = cellLine(paragraph, context);
      if (line !== '') cell.push(line);
    }
  };
  const endTable = (): void => {
    const table = tables.pop();
    const outer = tables.at(-1)?.cell;
    if (table === undefined) return;
    if (outer === undefined || outer === null) flow.add(markdownTable(table.rows));
    else outer.push(table.rows.map((row) => row.filter((cell) => cell !== '').join(', ')).join('; '));
  };

  const openers = handlers<(attributes: XmlAttributes) => void>({
    p: () => paragraphs.push(newParagraph()),
    tab: () => (parents.at(-1) === 'r' ? write('\t') : undefined),
    br: () => write('\n'),
    cr: () => write('\n'),
    noBreakHyphen: () => write('-'),
    sym: ({ char }) => write(symbol(char)),
    // Drawn letters, such as a watermark.
    textpath: ({ string = '' }) => write(` ${string} `),
    tbl: () => tables.push({ rows: [], cell: null, span: 1 }),
    tr: () => tables.at(-1)?.rows.push([]),
    tc: () => Object.assign(tables.at(-1) ?? {}, { cell: [], span: 1 }),
    gridSpan: ({ val }) => Object.assign(tables.at(-1) ?? {}, { span: Math.min(Number(val) || 1, 64) }),
    footnoteReference: ({ id = '' }) => addNote('footnote', id),
    endnoteReference: ({ id = '' }) => addNote('endnote', id),
    chart: (attributes) => context.drawing(attributes['r:id'] ?? ''),
    blip: (attributes) => context.drawing(attributes['r:embed'] ?? ''),
    imagedata: (attributes) => context.drawing(attributes['r:id'] ?? ''),
    relIds: (attributes) => context.drawing(attributes['r:dm'] ?? ''),
    pStyle: ({ val }) => inParagraph((paragraph) => (paragraph.style = val ?? null)),
    outlineLvl: ({ val }) => inParagraph((paragraph) => (paragraph.outline = Number(val))),
    numId: ({ val }) => inParagraph((paragraph) => (paragraph.numId = val ?? null)),
    ilvl: ({ val }) => inParagraph((paragraph) => (paragraph.level = Number(val) || 0)),
  });
  const inParagraph = (change: (paragraph: Paragraph) => void): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && leftOut === 0) change(paragraph);
  };
  const addNote = (kind: 'footnote' | 'endnote', id: string): void => {
    const text = context.note(kind, id);
    if (text === null) return;
    write(`[^${id}]`);
    inParagraph(({ notes }) => notes.push(`[^${id}]: ${text}`));
  };
  const closers = handlers<() => void>({
    p: endParagraph,
    tbl: endTable,
    tc: () => {
      const table = tables.at(-1);
      if (table === undefined || table.cell === null) return;
      const row = table.rows.at(-1);
      row?.push(table.cell.join('\n'), ...Array.from({ length: table.span - 1 }, () => ''));
      table.cell = null;
    },
  });
  const fields = readFields(write);
  const handler: XmlHandler = {
    open: (name, attributes) => {
      if (LEFT_OUT.has(name)) leftOut += 1;
      if (leftOut === 0) (openers.get(name) ?? fields.openers.get(name))?.(attributes);
      parents.push(name);
    },
    close: (name) => {
      parents.pop();
      if (LEFT_OUT.has(name)) leftOut -= 1;
      else if (leftOut === 0) (closers.get(name) ?? fields.closers.get(name))?.();
    },
    text: (data) => {
      if (parents.at(-1) === 't') write(data);
      else if (parents.at(-1) === 'instrText' && leftOut === 0) fields.code(data);
    },
  };
  readXml(xml, handler);
};

/** A character of a symbol font: private-use characters are pictures, and surrogates and larger numbers are invalid. */
const symbol = (char: string | undefined): string => {
  const code = Number.parseInt(char ?? '', 16);
  const isText = code < 0xd800 || (code > 0xf8ff && code <= 0x10ffff);
  return isText ? String.fromCodePoint(code) : '';
};

interface ParagraphContext {
  readonly style: (id: string) => ParagraphStyle;
  readonly lists: Lists;
  /** The document's own title. */
  readonly title: (text: string) => void;
}

/** A paragraph that is being read. */
interface Paragraph {
  text: string;
  style: string | null;
  outline: number | null;
  numId: string | null;
  /** Level in its list; null when its style determines it. */
  level: number | null;
  notes: string[];
}

const newParagraph = (): Paragraph => ({
  text: '',
  style: null,
  outline: null,
  numId: null,
  level: null,
  notes: [],
});

/** A longer one is a paragraph with a heading style. */
const LONGEST_HEADING = 500;

/** Adds the number or bullet of its list. A paragraph without text shows only its number. */
const addParagraph = (paragraph: Paragraph, flow: TextFlow, context: ParagraphContext): void => {
  const text = paragraph.text.replaceAll(/[^\S\n]+/g, ' ').trim();
  const style = styleOf(paragraph, context);
  const mark = markOf(paragraph, style, context) ?? '';
  if (text === '' && (mark === '' || isBullet(mark))) return;
  const level = paragraph.outline === null ? (style?.level ?? 0) : paragraph.outline + 1;
  if (style?.isTitle === true) context.title(text);
  if (text !== '' && level >= 1 && level <= 9 && paragraph.text.length < LONGEST_HEADING)
    flow.heading(level, isBullet(mark) ? text : `${mark}${text}`);
  else flow.add(`${mark}${text}`.trimEnd(), mark === '' ? 'paragraph' : 'item');
  for (const note of paragraph.notes) flow.add(note);
};

/** A paragraph of a cell, in one line with its notes; empty when it shows nothing. */
const cellLine = (paragraph: Paragraph, context: ParagraphContext): string => {
  const mark = markOf(paragraph, styleOf(paragraph, context), context) ?? '';
  const line = `${isBullet(mark) ? '' : mark.trimStart()}${paragraph.text.trim()}`;
  return [line.trim(), ...paragraph.notes].join(' ').trim();
};

const styleOf = ({ style }: Paragraph, context: ParagraphContext): ParagraphStyle | null =>
  style === null ? null : context.style(style);

const markOf = (
  { numId, level }: Paragraph,
  style: ParagraphStyle | null,
  { lists }: ParagraphContext,
): string | null => {
  const list = numId ?? style?.numId ?? null;
  return list === null ? null : lists.next(list, level ?? style?.listLevel ?? null, style?.listStyle ?? null);
};

const isBullet = (mark: string): boolean => mark.trim() === '-';
