import { codePageDecoder } from '../code-pages.ts';
import { plainNumber } from '../number-format.ts';
import { marginText } from '../page-margins.ts';
import { recordsOf } from './workbook-stream.ts';

/** Types of records ([MS-XLS] 2.3.1). */
const BEGIN = 0x0809;
const END = 0x000a;
const NUMBER = 0x0203;
const CODE_PAGE = 0x0042;
const TEXT_OBJECT = 0x01b6;
const CONTINUE = 0x003c;
const SERIES_TEXT = 0x100d;
const MARGINS = new Set([0x0014, 0x0015]);
/** The kind of a substream that is a chart; its numbers are those that it shows ([MS-XLS] 2.1.7.20.1). */
const CHART = 0x0020;
/** Of Excel 97 and later, whose texts say how wide their characters are. */
const BIFF_8 = 0x0600;

/**
 * Text of shapes, comments' boxes, charts, headers and footers in a workbook stream, which the library that reads cells leaves out. In the
 * order of the stream, each text once.
 */
export const drawnText = (stream: Buffer): readonly string[] => {
  const found = new Set<string>();
  let version = BIFF_8;
  let decoder = codePageDecoder(1_252);
  let expected = 0;
  let text = '';
  /** Kinds of the substreams that are open: a chart may lie within a sheet. */
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

/** Behind a byte whose lowest bit says whether characters have two bytes or one. */
const characters = (body: Buffer, at: number, count: number): string =>
  ((body[at] ?? 0) & 1) === 1
    ? body.toString('utf16le', at + 1, at + 1 + 2 * count)
    : body.toString('latin1', at + 1, at + 1 + count);
