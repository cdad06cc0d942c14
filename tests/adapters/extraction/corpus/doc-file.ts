import { compoundFile } from './compound-file.ts';

export interface DocParagraph {
  /** With its end mark: `\r`, or `\x07` of a cell. */
  readonly text: string;
  readonly inTable?: boolean;
  readonly endsRow?: boolean;
}

const TEXT_AT = 0x800;
const PAGE_AT = 0x600;
const CHARACTERS_AT = 0x400;

interface DocOptions {
  readonly wide?: boolean;
  readonly flags?: number;
  readonly footnotes?: string;
  /** Properties of the characters from one place in the text to another. */
  readonly run?: { readonly from: number; readonly to: number; readonly properties: readonly number[] };
}

/** A Word 97 document ([MS-DOC]): one piece of text in windows-1252 or UTF-16, and one page of paragraph formats. */
export const docFile = (paragraphs: readonly DocParagraph[], options: DocOptions = {}): Buffer =>
  compoundFile(docStreams(paragraphs, options));

/** The streams of such a document. */
export const docStreams = (
  paragraphs: readonly DocParagraph[],
  { wide = false, flags = 0, footnotes = '', run }: DocOptions = {},
): Readonly<Record<'WordDocument' | '0Table', Buffer>> => {
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
  main.writeUInt32LE(0, 0x102);
  main.writeUInt32LE(12, 0x106);
  if (run !== undefined) {
    const width = wide ? 2 : 1;
    characterPage(text.length, { ...run, from: run.from * width, to: run.to * width }).copy(
      main,
      CHARACTERS_AT,
    );
    table.writeUInt32LE(TEXT_AT, 40);
    table.writeUInt32LE(TEXT_AT + text.length, 44);
    table.writeUInt32LE(CHARACTERS_AT / 512, 48);
    main.writeUInt32LE(40, 0xfa);
    main.writeUInt32LE(12, 0xfe);
  }
  // The piece table: two positions, and one piece.
  table.writeUInt8(2, 12);
  table.writeUInt32LE(16, 13);
  table.writeUInt32LE(0, 17);
  table.writeUInt32LE((body + footnotes).length, 21);
  table.writeUInt32LE(wide ? TEXT_AT : (2 * TEXT_AT) | 0x40000000, 27);
  main.writeUInt32LE(12, 0x1a2);
  main.writeUInt32LE(21, 0x1a6);
  return { WordDocument: main, '0Table': table };
};

const formatPage = (paragraphs: readonly DocParagraph[], width: number): Buffer => {
  const page = Buffer.alloc(512);
  const count = paragraphs.length;
  page.writeUInt8(count, 511);
  let at = TEXT_AT;
  let free = 510;
  for (const [index, { text, inTable = false, endsRow = false }] of paragraphs.entries()) {
    page.writeUInt32LE(at, 4 * index);
    at += text.length * width;
    const bytes = [0, 0, ...(inTable ? [0x16, 0x24, 1] : []), ...(endsRow ? [0x17, 0x24, 1] : [])];
    if (bytes.length % 2 === 0) bytes.push(0);
    free -= bytes.length + 1;
    page.writeUInt8((bytes.length + 1) / 2, free);
    Buffer.from(bytes).copy(page, free + 1);
    page.writeUInt8(free / 2, 4 * (count + 1) + 13 * index);
  }
  page.writeUInt32LE(at, 4 * count);
  return page;
};

/** Three runs, of which the second has properties. */
const characterPage = (length: number, { from, to, properties }: NonNullable<DocOptions['run']>): Buffer => {
  const page = Buffer.alloc(512);
  for (const [index, at] of [0, from, to, length].entries()) page.writeUInt32LE(TEXT_AT + at, 4 * index);
  const at = 500 - (properties.length % 2 === 0 ? properties.length : properties.length + 1);
  page.writeUInt8(at / 2, 4 * 4 + 1);
  page.writeUInt8(properties.length, at);
  Buffer.from(properties).copy(page, at + 1);
  page.writeUInt8(3, 511);
  return page;
};
