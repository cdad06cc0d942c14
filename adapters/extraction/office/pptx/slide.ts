import { markdownTable } from '../../markdown-table.ts';
import { type XmlAttributes, handlers, readXml } from '../../xml/read-xml.ts';
import { isSymbolFont } from '../../symbol-fonts.ts';
import { pictureDescription } from '../../picture-description.ts';
import { createAutoNumbers } from './auto-numbers.ts';
import { type TextRun, newRun, positionBy, shownRun } from '../../text-run.ts';

interface SlideText {
  readonly title: string | null;
  /** Shapes in order; the title is first only if it comes first. */
  readonly blocks: readonly string[];
  /** Whether a show passes over it. */
  readonly isHidden: boolean;
}

/** A longer text of a cell over several rows is told once. */
const TOLD_AGAIN = 100;

/** The placeholder of the slide number (ECMA-376-1, 19.7.10): units have it as their page. */
const NUMBER = 'sldNum';

interface Shape {
  isHidden: boolean;
  placeholder: string | null;
  lines: string[];
}

/**
 * Shapes of a slide: paragraphs, with a dash for deeper ones, tables, and drawings.
 *
 * @param drawing lines of a chart or diagram, by its relationship
 * @param shows whether to include shapes of a placeholder type, or without one
 */
export const readSlide = (
  xml: string,
  drawing: (relation: string) => readonly string[],
  shows: (placeholder: string | null) => boolean = (placeholder) => placeholder !== NUMBER,
): SlideText => {
  const blocks: string[] = [];
  let title: string | null = null;
  let shape: Shape = { placeholder: null, lines: [], isHidden: false };
  let paragraph: { text: string; level: number; numbered: XmlAttributes | null } | null = null;
  let rows: string[][] | null = null;
  let cell: string[] | null = null;
  let leftOut = 0;
  let name = '';
  let run: TextRun | null = null;
  let isHidden = false;
  let isCovered = false;
  let isPicture = false;
  let numbers = createAutoNumbers();

  const endShape = (): void => {
    const { placeholder, lines, isHidden: isUnseen } = shape;
    shape = { placeholder: null, lines: [], isHidden: false };
    numbers = createAutoNumbers();
    if (lines.length === 0 || isUnseen || !shows(placeholder)) return;
    if (placeholder === 'title' || placeholder === 'ctrTitle')
      title ??= lines.join(' ').replaceAll(/\s+/g, ' ');
    blocks.push(lines.join('\n'));
  };
  const endParagraph = (): void => {
    const text = paragraph?.text.replaceAll(/[^\S\n]+/g, ' ').trim() ?? '';
    if (text !== '' && cell !== null) cell.push(text);
    else if (text !== '' && paragraph !== null) {
      const { level, numbered } = paragraph;
      shape.lines.push(`${numbers.next(level, numbered) ?? listMark(level)}${text}`);
    }
    paragraph = null;
  };
  const openers = handlers<(attributes: XmlAttributes) => void>({
    sld: ({ show }) => (isHidden = show === '0' || show === 'false'),
    sp: endShape,
    graphicFrame: endShape,
    pic: () => (isPicture = true),
    cNvPr: ({ hidden, descr }) => {
      const isUnseen = hidden === '1' || hidden === 'true';
      shape.isHidden ||= isUnseen && !isPicture;
      const description = isPicture && !isUnseen ? pictureDescription(descr) : '';
      if (description !== '') blocks.push(description);
    },
    r: () => (run = newRun()),
    rPr: ({ strike = 'noStrike', baseline = '0' }) => {
      if (run === null) return;
      run.isLeftOut = strike !== 'noStrike';
      run.position = positionBy(Number(baseline));
    },
    latin: ({ typeface }) => inRun(typeface),
    sym: ({ typeface }) => inRun(typeface),
    ph: ({ type }) => (shape.placeholder = type ?? 'body'),
    p: () => (paragraph = { text: '', level: 0, numbered: null }),
    pPr: ({ lvl }) => {
      if (paragraph !== null) paragraph.level = Number(lvl) || 0;
    },
    buAutoNum: (attributes) => {
      if (paragraph !== null) paragraph.numbered = attributes;
    },
    br: () => append('\n'),
    tab: () => append(' '),
    tbl: () => (rows = []),
    tr: () => rows?.push([]),
    tc: ({ vMerge }) => {
      cell = [];
      isCovered = vMerge === '1' || vMerge === 'true';
    },
    chart: (attributes) => shape.lines.push(...drawing(attributes['r:id'] ?? '')),
    blip: (attributes) => {
      const lines = drawing(attributes['r:embed'] ?? '');
      if (lines.length > 0) blocks.push(lines.join('\n'));
    },
    relIds: (attributes) => shape.lines.push(...drawing(attributes['r:dm'] ?? '')),
  });
  const closers = handlers<() => void>({
    sp: endShape,
    graphicFrame: endShape,
    pic: () => (isPicture = false),
    p: endParagraph,
    r: () => {
      if (run !== null && paragraph !== null) paragraph.text += shownRun(run, paragraph.text);
      run = null;
    },
    tc: () => {
      const row = rows?.at(-1);
      const above = isCovered ? (rows?.at(-2)?.[row?.length ?? 0] ?? '') : '';
      const own = cell?.join('\n') ?? '';
      row?.push(own === '' && above.length <= TOLD_AGAIN ? above : own);
      cell = null;
    },
    tbl: () => {
      const table = markdownTable(rows ?? []);
      if (table !== '') shape.lines.push(table);
      rows = null;
    },
  });
  const append = (data: string): void => {
    if (run !== null) run.text += data;
    else if (paragraph !== null) paragraph.text += data;
  };
  const inRun = (font: string | undefined): void => {
    if (run !== null && isSymbolFont(font)) run.font = font ?? null;
  };
  readXml(xml, {
    open: (opened, attributes) => {
      name = opened;
      if (opened === 'Fallback') leftOut += 1;
      if (leftOut === 0) openers.get(opened)?.(attributes);
    },
    close: (closed) => {
      name = '';
      if (closed === 'Fallback') leftOut -= 1;
      else if (leftOut === 0) closers.get(closed)?.();
    },
    text: (data) => {
      if (name === 't' && leftOut === 0) append(data);
    },
  });
  endShape();
  return { title, blocks, isHidden };
};

const listMark = (level: number): string => (level === 0 ? '' : `${'  '.repeat(Math.min(level, 8) - 1)}- `);
