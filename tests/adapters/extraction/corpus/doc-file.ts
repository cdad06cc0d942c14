import { compoundFile } from './compound-file.ts';
import { itemProperties, listTables, styleSheet, type DocList } from './doc-lists.ts';

export interface DocParagraph {
  /** With its end mark: `\r`, or `\x07` of a cell. */
  readonly text: string;
  /** Number of its style; 1–9 are the headings. */
  readonly style?: number;
  readonly inTable?: boolean;
  readonly endsRow?: boolean;
  /** Use of a list, from 1, and level in it. */
  readonly item?: readonly [list: number, level: number];
}

const TEXT_AT = 0x800;
const PAGE_AT = 0x600;
const MARKS_AT = 0x400;

interface DocOptions {
  readonly wide?: boolean;
  readonly flags?: number;
  readonly footnotes?: string;
  readonly lists?: readonly DocList[];
  /** What the marks `\x01` of the text stand for, in their order. */
  readonly forms?: readonly Buffer[];
  /** Properties of styles by their numbers. */
  readonly styles?: Readonly<Record<number, readonly number[]>>;
}

/** A Word 97 document ([MS-DOC]): one piece of text in windows-1252 or UTF-16, and one page of paragraph formats. */
export const docFile = (paragraphs: readonly DocParagraph[], options: DocOptions = {}): Buffer =>
  compoundFile(docStreams(paragraphs, options));

/** The streams of such a document. */
export const docStreams = (
  paragraphs: readonly DocParagraph[],
  { wide = false, flags = 0, footnotes = '', lists = [], styles = {}, forms = [] }: DocOptions = {},
): Readonly<Record<'WordDocument' | '0Table' | 'Data', Buffer>> => {
  const body = paragraphs.map(({ text }) => text).join('');
  const text = Buffer.from(body + footnotes, wide ? 'utf16le' : 'latin1');
  const main = Buffer.alloc(TEXT_AT + text.length);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(flags, 0x0a);
  main.writeInt32LE(body.length, 0x4c);
  main.writeInt32LE(footnotes.length, 0x50);
  text.copy(main, TEXT_AT);
  formatPage(paragraphs, wide ? 2 : 1).copy(main, PAGE_AT);
  const table = Buffer.alloc(64);
  // The page of formats: the range of the stream that it is of, and its number.
  table.writeUInt32LE(TEXT_AT, 0);
  table.writeUInt32LE(TEXT_AT + text.length, 4);
  table.writeUInt32LE(PAGE_AT / 512, 8);
  const width = wide ? 2 : 1;
  const marks = [...body].flatMap((mark, index) => (mark === '\x01' ? [TEXT_AT + index * width] : []));
  markPage(marks.slice(0, forms.length), forms, width).copy(main, MARKS_AT);
  table.writeUInt32LE(TEXT_AT, 40);
  table.writeUInt32LE(TEXT_AT + text.length, 44);
  table.writeUInt32LE(MARKS_AT / 512, 48);
  main.writeUInt32LE(40, 0xfa);
  main.writeUInt32LE(12, 0xfe);
  main.writeUInt32LE(0, 0x102);
  main.writeUInt32LE(12, 0x106);
  // The piece table: two positions, and one piece.
  table.writeUInt8(2, 12);
  table.writeUInt32LE(16, 13);
  table.writeUInt32LE(0, 17);
  table.writeUInt32LE((body + footnotes).length, 21);
  table.writeUInt32LE(wide ? TEXT_AT : (2 * TEXT_AT) | 0x40000000, 27);
  main.writeUInt32LE(12, 0x1a2);
  main.writeUInt32LE(21, 0x1a6);
  const { defined, used } = listTables(lists);
  const sheet = styleSheet(styles);
  main.writeUInt32LE(table.length, 0x2e2);
  main.writeUInt32LE(2, 0x2e6);
  main.writeUInt32LE(table.length + defined.length, 0x2ea);
  main.writeUInt32LE(used.length, 0x2ee);
  main.writeUInt32LE(table.length + defined.length + used.length, 0xa2);
  main.writeUInt32LE(sheet.length, 0xa6);
  return {
    WordDocument: main,
    '0Table': Buffer.concat([table, defined, used, sheet]),
    Data: Buffer.concat(forms),
  };
};

/** A page of formats of characters: where in the data what each mark stands for begins. */
const markPage = (marks: readonly number[], forms: readonly Buffer[], width: number): Buffer => {
  const page = Buffer.alloc(512);
  const places = [TEXT_AT, ...marks.flatMap((at) => [at, at + width])];
  const count = places.length;
  page.writeUInt8(count, 511);
  places.forEach((at, index) => page.writeUInt32LE(at, 4 * index));
  page.writeUInt32LE(places.at(-1)! + 10_000, 4 * count);
  let [free, location] = [510, 0];
  marks.forEach((_, index) => {
    free -= 8;
    Buffer.from([6, 0x03, 0x6a, 0, 0, 0, 0]).copy(page, free);
    page.writeUInt32LE(location, free + 3);
    page.writeUInt8(free / 2, 4 * (count + 1) + 1 + 2 * index);
    location += forms[index]!.length;
  });
  return page;
};

const counted = (text: string): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([length, Buffer.from(text, 'utf16le')]);
};

/** A field of a form ([MS-DOC] 2.9.78): a box, or a list with its words. Its result is 25 where nobody has set it. */
export const docForm = (result: number, first: number, words?: readonly string[]): Buffer => {
  const head = Buffer.alloc(0x44 + 10);
  head.writeUInt32LE(0xffffffff, 0x44);
  head.writeUInt16LE((result << 2) | (words === undefined ? 1 : 2), 0x48);
  const count = Buffer.alloc(6, 0xff);
  count.writeUInt16LE(words?.length ?? 0, 2);
  count.writeUInt16LE(0, 4);
  const texts = ['', 'Help for it', '', 'Macro', ''].map((text) =>
    counted(text + '\0').fill(text.length, 0, 1),
  );
  return Buffer.concat([
    head,
    counted('Name\0').fill(4, 0, 1),
    Buffer.of(first, 0),
    ...texts,
    ...(words === undefined ? [] : [count, ...words.map(counted)]),
  ]);
};

const formatPage = (paragraphs: readonly DocParagraph[], width: number): Buffer => {
  const page = Buffer.alloc(512);
  const count = paragraphs.length;
  page.writeUInt8(count, 511);
  let at = TEXT_AT;
  let free = 510;
  for (const [index, { text, style = 0, inTable = false, endsRow = false, item }] of paragraphs.entries()) {
    page.writeUInt32LE(at, 4 * index);
    at += text.length * width;
    const listed = item === undefined ? [] : itemProperties(...item);
    const properties = [...(inTable ? [0x16, 0x24, 1] : []), ...(endsRow ? [0x17, 0x24, 1] : []), ...listed];
    const bytes = [style, 0, ...properties];
    if (bytes.length % 2 === 0) bytes.push(0);
    free -= bytes.length + 1;
    page.writeUInt8((bytes.length + 1) / 2, free);
    Buffer.from(bytes).copy(page, free + 1);
    page.writeUInt8(free / 2, 4 * (count + 1) + 13 * index);
  }
  page.writeUInt32LE(at, 4 * count);
  return page;
};
