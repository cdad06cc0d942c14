import { markdownTable } from '../../markdown-table.ts';
import { type XmlAttributes, type XmlHandler, handlers, readXml } from '../../xml/read-xml.ts';
import { pictureDescription } from '../../picture-description.ts';
import { symbolText } from '../../symbol-fonts.ts';
import type { TextFlow } from '../text-flow.ts';
import { type TextRun, newRun, positionBy, shownRun } from '../../text-run.ts';
import { readFields } from './fields.ts';
import { type LeavingOut, isOn } from './styles.ts';
import { type Paragraph, type ParagraphContext, addParagraph, cellLine, newParagraph } from './paragraph.ts';

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
  /** Whether the cell above covers this one. */
  isCovered: boolean;
}
/** A longer text of a cell over several rows is told once. */
const TOLD_AGAIN = 100;

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
  /** Of the run, where it or its style says so. */
  let leavingOut: LeavingOut = {};
  let carried: Paragraph | null = null;

  const write = (data: string): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph === undefined || leftOut > 0) return;
    if (paragraph.run === null) paragraph.text += data;
    else paragraph.run.text += data;
  };
  const endRun = (): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph === undefined || paragraph.run === null) return;
    const { leavingOut: ofStyle } = paragraph.style === null ? {} : context.style(paragraph.style);
    const isLeftOut = Object.values({ ...ofStyle, ...leavingOut }).some(Boolean);
    paragraph.text += shownRun({ ...paragraph.run, isLeftOut }, paragraph.text);
    paragraph.run = null;
  };
  const inRun = (change: (run: TextRun) => void): void => {
    const run = paragraphs.at(-1)?.run ?? null;
    if (run !== null && parents.at(-1) === 'rPr' && parents.at(-2) === 'r') change(run);
  };
  const leaveOut =
    (by: keyof LeavingOut) =>
    ({ val }: XmlAttributes): void =>
      inRun(() => (leavingOut[by] = isOn(val)));
  const endParagraph = (): void => {
    endRun();
    const paragraph = paragraphs.pop();
    if (paragraph === undefined) return;
    if (paragraph.goesOn) {
      carried = paragraph;
      return;
    }
    addTo(paragraph);
  };
  /** A paragraph whose end was deleted goes on with the next one beside it, or stands alone at the end. */
  const endCarried = (): void => {
    if (carried !== null) addTo(carried);
    carried = null;
  };
  const startParagraph = (): void => {
    const { text = '', notes = [] } = carried ?? {};
    carried = null;
    paragraphs.push({ ...newParagraph(), text, notes });
  };
  const addTo = (paragraph: Paragraph): void => {
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
    p: startParagraph,
    r: () => {
      leavingOut = {};
      inParagraph((paragraph) => (paragraph.run = newRun()));
    },
    rStyle: ({ val = '' }) => inRun(() => Object.assign(leavingOut, context.style(val).leavingOut)),
    vanish: leaveOut('vanish'),
    strike: leaveOut('strike'),
    dstrike: leaveOut('dstrike'),
    position: ({ val }) => inRun((run) => (run.position = positionBy(Number(val)))),
    vertAlign: ({ val }) => inRun((run) => (run.position = POSITIONS[val ?? ''] ?? null)),
    rFonts: ({ ascii, ...others }) => inRun((run) => (run.font = ascii ?? others['w:ascii'] ?? null)),
    tab: () => (parents.at(-1) === 'r' ? write('\t') : undefined),
    br: () => write('\n'),
    cr: () => write('\n'),
    noBreakHyphen: () => write('-'),
    sym: ({ char, font = '' }) => write(symbol(char, font)),
    // Drawn letters, such as a watermark.
    textpath: ({ string = '' }) => write(` ${string} `),
    tbl: () => {
      endCarried();
      tables.push({ rows: [], cell: null, span: 1, isCovered: false });
    },
    tr: () => tables.at(-1)?.rows.push([]),
    tc: () => Object.assign(tables.at(-1) ?? {}, { cell: [], span: 1, isCovered: false }),
    vMerge: ({ val }) => Object.assign(tables.at(-1) ?? {}, { isCovered: val !== 'restart' }),
    gridSpan: ({ val }) => Object.assign(tables.at(-1) ?? {}, { span: Math.min(Number(val) || 1, 64) }),
    footnoteReference: ({ id = '' }) => addNote('footnote', id),
    endnoteReference: ({ id = '' }) => addNote('endnote', id),
    chart: (attributes) => context.drawing(attributes['r:id'] ?? ''),
    docPr: ({ descr, hidden }) => write(hidden === '1' ? '' : ` ${pictureDescription(descr)} `),
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
    r: endRun,
    tbl: endTable,
    tc: () => {
      endCarried();
      const table = tables.at(-1);
      if (table === undefined || table.cell === null) return;
      const row = table.rows.at(-1);
      const above = table.isCovered ? (table.rows.at(-2)?.[row?.length ?? 0] ?? '') : '';
      const own = table.cell.join('\n');
      row?.push(
        own === '' && above.length <= TOLD_AGAIN ? above : own,
        ...Array.from({ length: table.span - 1 }, () => ''),
      );
      table.cell = null;
    },
  });
  const fields = readFields(write);
  const handler: XmlHandler = {
    open: (name, attributes) => {
      const isOfMark = parents.at(-1) === 'rPr' && parents.at(-2) === 'pPr';
      if (isOfMark && (name === 'del' || name === 'moveFrom'))
        inParagraph((paragraph) => (paragraph.goesOn = true));
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
  endCarried();
};

const POSITIONS: Readonly<Record<string, TextRun['position']>> = {
  superscript: 'raised',
  subscript: 'lowered',
};

/** A character of a symbol font: private-use characters are pictures, and surrogates and larger numbers are invalid. */
const symbol = (char: string | undefined, font: string): string => {
  const code = Number.parseInt(char ?? '', 16);
  if (!(code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff))) return '';
  const shown = symbolText(String.fromCodePoint(code), font);
  return /\p{Co}/u.test(shown) ? '' : shown;
};
