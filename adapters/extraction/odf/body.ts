import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { markdownTable } from '../markdown-table.ts';
import { createListMarks } from '../office/list-marks.ts';
import { createTextFlow } from '../office/text-flow.ts';
import { commentLine } from '../office/workbook.ts';
import { type XmlAttributes, handlers, readXml } from '../xml/read-xml.ts';
import { type OpenParagraph, createParagraphs } from './paragraphs.ts';
import type { OdfStyles } from './styles.ts';

interface Table {
  readonly rows: string[][];
  cell: string[] | null;
  columns: number;
  rowsSpanned: number;
  repeated: number;
  /** By column: the text of a cell over several rows, and in how many more it stands. */
  readonly tall: Map<number, { readonly text: string; left: number }>;
}

interface List {
  readonly id: string;
  readonly style: string | null;
  /** Whether the next paragraph is the first of its item. */
  isItem: boolean;
}

/** A longer text of a cell over several rows is told once. */
const TOLD_AGAIN = 100;
const MOST_COLUMNS = 64;
const CHAPTERS = '';

/** What an OpenDocument text or presentation says. */
interface OdfBody {
  readonly title: string | null;
  readonly units: readonly TextUnit[];
}

/**
 * Headings, paragraphs, lists, tables, boxes and notes in order, comments last (OpenDocument 1.3, part 3, clauses 5 to
 * 10); a unit for each slide that is not hidden, under its title, with the speaker's notes.
 *
 * @param within names of the elements whose text is read
 * @throws {ExtractionFailure} `too_large`
 */
export const readOdfBody = (
  xml: string,
  styles: OdfStyles,
  within: ReadonlySet<string>,
  maxCharacters: number,
): OdfBody => {
  const paragraphs = createParagraphs(styles);
  const flow = createTextFlow(maxCharacters);
  const slides: TextUnit[] = [];
  const comments: string[] = [];
  /** Where lines go to: cells, notes and comments that enclose them; to the flow where there is none. */
  const targets: string[][] = [];
  const tables: Table[] = [];
  const lists: List[] = [];
  const styleOf = new Map<string, string | null>();
  const lastOf = new Map<string | null, string>();
  const marks = createListMarks((id) => {
    const levels = id === CHAPTERS ? styles.list(null) : styles.list(styleOf.get(String(id)) ?? '');
    return levels && { key: id, levels, startsOver: [] };
  });
  let title: string | null = null;
  let slide: { blocks: string[]; title: string | null; isShown: boolean } | null = null;
  let [slideNumber, inTitle, inside, notes] = [0, false, 0, 0];
  let author = '';
  let inCreator = false;
  /** Notes of the paragraph that is being read, which follow it. */
  let pending: string[] = [];
  /** How many notes and comments enclose the text. */
  let aside = 0;

  const endParagraph = ({ attributes, isHeading }: OpenParagraph, line: string): void => {
    const list = lists.at(-1);
    const isItem = list?.isItem === true;
    if (list !== undefined) list.isItem = false;
    const mark = isItem
      ? (marks.next(list.id, lists.length - 1) ?? '')
      : isHeading && attributes['is-list-header'] !== 'true' && styles.list(null) !== undefined
        ? (marks.next(CHAPTERS, Number(attributes['outline-level'] ?? 1) - 1) ?? '')
        : '';
    if (line === '') return;
    addParagraph(line, mark, { isItem, isHeading, attributes });
    if (aside > 0) return;
    for (const note of pending) addLines([note]);
    pending = [];
  };
  const addParagraph = (
    line: string,
    mark: string,
    {
      isItem,
      isHeading,
      attributes,
    }: Pick<OpenParagraph, 'attributes' | 'isHeading'> & { readonly isItem: boolean },
  ): void => {
    const target = targets.at(-1);
    const shown = /^\s*- $/.test(mark) ? line : `${mark.trimStart()}${line}`;
    if (target !== undefined) target.push(shown);
    else if (slide !== null) {
      if (inTitle && slide.title === null) slide.title = line.replaceAll(/\s+/g, ' ').slice(0, 300);
      slide.blocks.push(isItem ? `${mark}${line}` : line);
    } else if (isHeading) flow.heading(Number(attributes['outline-level'] ?? 1), shown);
    else flow.add(isItem ? `${mark}${line}` : line, isItem ? 'item' : 'paragraph');
    if (styles.isTitle(attributes['style-name'])) title ??= line.replaceAll(/\s+/g, ' ').slice(0, 300);
  };
  const addLines = (lines: readonly string[]): void => {
    const text = lines.filter((line) => line !== '').join('\n');
    if (text === '') return;
    if (targets.at(-1) !== undefined) targets.at(-1)!.push(text);
    else if (slide === null) flow.add(text);
    else slide.blocks.push(text);
  };
  const endCell = (): void => {
    const table = tables.at(-1);
    if (table?.cell === null || table?.cell === undefined) return;
    targets.pop();
    const row = table.rows.at(-1) ?? [];
    const text = table.cell.join('\n');
    if (table.rowsSpanned > 1 && text.length <= TOLD_AGAIN)
      table.tall.set(row.length, { text, left: table.rowsSpanned - 1 });
    for (let copy = 0; copy < Math.min(table.repeated, MOST_COLUMNS); copy += 1) row.push(text);
    table.cell = null;
  };
  const coveredCells = (table: Table, count: number): void => {
    const row = table.rows.at(-1) ?? [];
    for (let copy = 0; copy < Math.min(count, MOST_COLUMNS); copy += 1) {
      const above = table.tall.get(row.length);
      if (above !== undefined) above.left -= 1;
      row.push(above !== undefined && above.left >= 0 ? above.text : '');
    }
  };
  const openers = handlers<(attributes: XmlAttributes) => void>({
    list: (attributes) => {
      const style = attributes['style-name'] ?? lists.at(-1)?.style ?? null;
      const goesOn = attributes['continue-numbering'] === 'true' || attributes['continue-list'] !== undefined;
      const id = lists.at(-1)?.id ?? (goesOn ? lastOf.get(style) : undefined) ?? `${styleOf.size + 1}`;
      styleOf.set(id, style);
      lastOf.set(style, id);
      lists.push({ id, style, isItem: false });
    },
    'list-item': () => Object.assign(lists.at(-1) ?? {}, { isItem: true }),
    table: () =>
      tables.push({ rows: [], cell: null, columns: 1, rowsSpanned: 1, repeated: 1, tall: new Map() }),
    'table-row': () => tables.at(-1)?.rows.push([]),
    'table-cell': (attributes) => {
      const table = tables.at(-1);
      if (table === undefined) return;
      table.cell = [];
      table.rowsSpanned = Number(attributes['number-rows-spanned'] ?? 1);
      table.repeated = Number(attributes['number-columns-repeated'] ?? 1);
      targets.push(table.cell);
    },
    'covered-table-cell': (attributes) => {
      const table = tables.at(-1);
      if (table !== undefined) coveredCells(table, Number(attributes['number-columns-repeated'] ?? 1));
    },
    'note-body': () => {
      aside += 1;
      targets.push([]);
    },
    annotation: () => {
      aside += 1;
      targets.push([]);
      author = '';
    },
    creator: () => {
      inCreator = true;
    },
    page: ({ 'style-name': style }) => {
      slideNumber += 1;
      slide = { blocks: [], title: null, isShown: styles.isShown('drawing-page', style) };
    },
    notes: () => targets.push([]),
    frame: (attributes) => {
      inTitle = attributes['class'] === 'title';
    },
  });
  const closers = handlers<() => void>({
    list: () => lists.pop(),
    'table-cell': endCell,
    table: () => {
      const table = tables.pop();
      if (table === undefined) return;
      if (targets.length === 0) addLines([markdownTable(table.rows)]);
      else addLines([table.rows.map((row) => row.filter((cell) => cell !== '').join(', ')).join('; ')]);
    },
    'note-body': () => {
      aside -= 1;
      const note = targets.pop()?.join(' ') ?? '';
      notes += 1;
      if (note !== '') pending.push(`[^${notes}]: ${note}`);
    },
    note: () => paragraphs.write(`[^${notes}]`),
    creator: () => {
      inCreator = false;
    },
    annotation: () => {
      aside -= 1;
      const line = commentLine(author, targets.pop()?.join(' ') ?? '');
      if (line !== '' && slide === null) comments.push(line);
      else if (line !== '') slide!.blocks.push(line);
    },
    frame: () => {
      inTitle = false;
    },
    notes: () => {
      const lines = targets.pop() ?? [];
      if (lines.length > 0) slide?.blocks.push(`Notes: ${lines.join('\n')}`);
    },
    page: () => {
      const text = slide?.isShown === true ? slide.blocks.join('\n\n') : '';
      if (text !== '')
        slides.push({ headingPath: slide?.title ? [slide.title] : [], pageNumber: slideNumber, text });
      slide = null;
    },
  });
  readXml(xml, {
    open: (name, attributes) => {
      if (within.has(name)) inside += 1;
      if (inside === 0 || paragraphs.open(name, attributes)) return;
      openers.get(name)?.(attributes);
    },
    text: (data) => {
      if (inside > 0 && inCreator) author += data;
      else if (inside > 0) paragraphs.text(data);
    },
    close: (name) => {
      if (inside === 0) return;
      const ended = paragraphs.close(name);
      if (ended !== null) {
        if (ended !== undefined) endParagraph(ended.paragraph, ended.line);
        closers.get(name)?.();
      }
      if (within.has(name)) inside -= 1;
    },
  });
  for (const comment of comments) flow.add(comment);
  return { title, units: slides.length > 0 ? slides : flow.finish() };
};
