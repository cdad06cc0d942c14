import { markdownTable } from '../../markdown-table.ts';
import { type XmlAttributes, handlers, readXml } from '../../xml/read-xml.ts';

export interface SlideText {
  readonly title: string | null;
  /** Shapes in their order, the title first where it stands first. */
  readonly blocks: readonly string[];
}

/** The placeholder of the slide's number (ECMA-376-1, 19.7.10): units have it as their page. */
const NUMBER = 'sldNum';

interface Shape {
  placeholder: string | null;
  lines: string[];
}

/**
 * Shapes of a slide: paragraphs, with a dash for the deeper ones, tables, and the drawings that `drawing` knows.
 *
 * @param drawing lines of a chart or diagram, by its relationship
 * @param shows whether shapes of a kind of placeholder are wanted, or of none
 */
export const readSlide = (
  xml: string,
  drawing: (relation: string) => readonly string[],
  shows: (placeholder: string | null) => boolean = (placeholder) => placeholder !== NUMBER,
): SlideText => {
  const blocks: string[] = [];
  let title: string | null = null;
  let shape: Shape = { placeholder: null, lines: [] };
  let paragraph: { text: string; level: number } | null = null;
  let rows: string[][] | null = null;
  let cell: string[] | null = null;
  let leftOut = 0;
  let name = '';

  const endShape = (): void => {
    const { placeholder, lines } = shape;
    shape = { placeholder: null, lines: [] };
    if (lines.length === 0 || !shows(placeholder)) return;
    if (placeholder === 'title' || placeholder === 'ctrTitle')
      title ??= lines.join(' ').replaceAll(/\s+/g, ' ');
    blocks.push(lines.join('\n'));
  };
  const endParagraph = (): void => {
    const text = paragraph?.text.replaceAll(/[^\S\n]+/g, ' ').trim() ?? '';
    if (text !== '' && cell !== null) cell.push(text);
    else if (text !== '') shape.lines.push(`${listMark(paragraph?.level ?? 0)}${text}`);
    paragraph = null;
  };
  const openers = handlers<(attributes: XmlAttributes) => void>({
    sp: endShape,
    graphicFrame: endShape,
    ph: ({ type }) => (shape.placeholder = type ?? 'body'),
    p: () => (paragraph = { text: '', level: 0 }),
    pPr: ({ lvl }) => {
      if (paragraph !== null) paragraph.level = Number(lvl) || 0;
    },
    br: () => append('\n'),
    tab: () => append(' '),
    tbl: () => (rows = []),
    tr: () => rows?.push([]),
    tc: () => (cell = []),
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
    p: endParagraph,
    tc: () => {
      rows?.at(-1)?.push(cell?.join('\n') ?? '');
      cell = null;
    },
    tbl: () => {
      const table = markdownTable(rows ?? []);
      if (table !== '') shape.lines.push(table);
      rows = null;
    },
  });
  const append = (data: string): void => {
    if (paragraph !== null) paragraph.text += data;
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
  return { title, blocks };
};

const listMark = (level: number): string => (level === 0 ? '' : `${'  '.repeat(Math.min(level, 8) - 1)}- `);
