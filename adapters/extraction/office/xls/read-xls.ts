import { isCompoundFile, openCompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { codePageDecoder } from '../code-pages.ts';
import { READ_OPTIONS, isHiddenSheet, librarySheet, loadLibrary } from '../library-sheet.ts';
import { plainNumber } from '../xlsx/sheet.ts';
import { readSummaryTitle } from '../properties.ts';
import { type Workbook, marginText } from '../workbook.ts';
import type { WorkBook } from '@e965/xlsx';

/**
 * Cells of an Excel workbook from before 2007 as they are shown, with their comments; text of shapes and charts stands
 * beside the last sheet that is not hidden.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`; `too_large` from `sheets`
 */
export const openXls = async (bytes: Buffer, maxCharacters: number): Promise<Workbook> => {
  const { stream, title } = openWorkbookStream(bytes);
  const book = await readBook(stream);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    title,
    language: null,
    sheets: function* () {
      const last = book.SheetNames.findLastIndex((_, index) => !isHiddenSheet(book, index));
      for (const [index, name] of book.SheetNames.entries()) {
        if (isHiddenSheet(book, index)) continue;
        const sheet = librarySheet(book.Sheets[name] ?? {}, {
          name,
          number: index + 1,
          since1904,
          maxCharacters,
        });
        yield index === last ? { ...sheet, beside: [...sheet.beside, ...drawnText(stream)] } : sheet;
      }
    },
  };
};

const readBook = async (stream: Buffer): Promise<WorkBook> => {
  const { read } = await loadLibrary();
  try {
    return read(withoutLinks(stream), READ_OPTIONS);
  } catch (error) {
    const { message } = error as Error;
    if (/password|encrypt/i.test(message))
      throw new ExtractionFailure('encrypted', 'the workbook needs a password', { cause: error });
    throw new ExtractionFailure('parser_failed', 'it is not readable as a workbook', { cause: error });
  }
};

/** A record of a workbook stream ([MS-XLS] 2.1.4), a view of its bytes. */
interface WorkbookRecord {
  readonly type: number;
  readonly body: Buffer;
}

/** Record types of links, and the offset of the first and the last row in them. */
const LINK_ROWS_AT: ReadonlyMap<number, number> = new Map([
  [0x01b8, 0],
  [0x0800, 2],
]);

/**
 * The records of a workbook and its title. Before Excel 5 a workbook was only its stream.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`
 */
const openWorkbookStream = (bytes: Buffer): { readonly stream: Buffer; readonly title: string | null } => {
  if (!isCompoundFile(bytes)) return { stream: bytes, title: null };
  const file = openCompoundFile(bytes);
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === null || stream.length === 0)
    throw new ExtractionFailure('parser_failed', 'its stream of records is missing');
  if (isLocked(stream)) throw new ExtractionFailure('encrypted', 'the workbook needs a password');
  return { stream, title: readSummaryTitle(file) };
};

/** `FilePass` and `BoundSheet8` ([MS-XLS] 2.3.1): encryption is declared before the first sheet. */
const FILE_PASS = 0x002f;
const BOUND_SHEET = 0x0085;

const isLocked = (stream: Buffer): boolean => {
  for (const { type } of recordsOf(stream))
    if (type === FILE_PASS || type === BOUND_SHEET) return type === FILE_PASS;
  return false;
};

const recordsOf = function* (stream: Buffer): Generator<WorkbookRecord> {
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), body: stream.subarray(at + 4, end) };
    at = end;
  }
};

/** The stream with links over no cells: the library visits all cells of a link, which may claim a billion. */
const withoutLinks = (stream: Buffer): Buffer => {
  const copy = Buffer.from(stream);
  for (const { type, body } of recordsOf(copy)) {
    const at = LINK_ROWS_AT.get(type);
    if (at === undefined || body.length < at + 4) continue;
    body.writeUInt16LE(1, at);
    body.writeUInt16LE(0, at + 2);
  }
  return copy;
};

/** Record types ([MS-XLS] 2.3.1). */
const BEGIN = 0x0809;
const END = 0x000a;
const NUMBER = 0x0203;
const CODE_PAGE = 0x0042;
const TEXT_OBJECT = 0x01b6;
const CONTINUE = 0x003c;
const SERIES_TEXT = 0x100d;
const MARGINS = new Set([0x0014, 0x0015]);
/** The substream type of a chart; its number cells are the values that it shows ([MS-XLS] 2.1.7.20.1). */
const CHART = 0x0020;
/** Excel 97 and later, whose texts specify the width of their characters. */
const BIFF_8 = 0x0600;

/**
 * Text of shapes, comment boxes, charts, headers and footers in a workbook stream, which the cell library omits. In
 * stream order, each text once.
 */
const drawnText = (stream: Buffer): readonly string[] => {
  const found = new Set<string>();
  let version = BIFF_8;
  let decoder = codePageDecoder(1_252);
  let expected = 0;
  let text = '';
  /** Types of the open substreams: a chart may be within a sheet. */
  const open: number[] = [];
  let values: string[] = [];
  const endValues = (): void => {
    if (values.length > 0) found.add(values.join(', '));
    values = [];
  };
  for (const { type, body } of recordsOf(stream)) {
    if (type === CONTINUE && expected > 0) {
      const part = characters(body, 0, expected);
      text += part;
      expected -= part.length;
      if (expected > 0 && part !== '') continue;
    }
    if (text !== '') found.add(text);
    [text, expected] = ['', 0];
    if (type === BEGIN && body.length >= 4) {
      version = body.readUInt16LE(0);
      open.push(body.readUInt16LE(2));
    } else if (type === END) {
      open.pop();
      endValues();
    } else if (type === NUMBER && body.length >= 14 && open.at(-1) === CHART)
      values.push(plainNumber(body.readDoubleLE(6)));
    else if (type === CODE_PAGE && body.length >= 2) decoder = codePageDecoder(body.readUInt16LE(0));
    else if (type === TEXT_OBJECT && body.length >= 12) expected = body.readUInt16LE(10);
    else if (type === SERIES_TEXT && body.length > 3) {
      const [count] = body.subarray(2);
      found.add(
        version < BIFF_8 ? decoder.decode(body.subarray(3, 3 + count!)) : characters(body, 3, count!),
      );
    } else if (MARGINS.has(type) && body.length > 1) found.add(marginText(margin(body, version, decoder)));
  }
  if (text !== '') found.add(text);
  endValues();
  return [...found].map((shown) => shown.trim()).filter((shown) => shown !== '');
};

/** Before Excel 97 its length has one byte ([MS-XLS] 2.4.136). */
const margin = (body: Buffer, version: number, decoder: ReturnType<typeof codePageDecoder>): string =>
  version < BIFF_8
    ? decoder.decode(body.subarray(1, 1 + body[0]!))
    : characters(body, 2, body.readUInt16LE(0));

/** The characters after a byte whose lowest bit says whether they have two bytes or one. */
const characters = (body: Buffer, at: number, count: number): string =>
  ((body[at] ?? 0) & 1) === 1
    ? body.toString('utf16le', at + 1, at + 1 + 2 * count)
    : body.toString('latin1', at + 1, at + 1 + count);
