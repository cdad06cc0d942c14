import { eachProperty } from './properties.ts';

/** `fcPlcfBteChpx` and its length ([MS-DOC] 2.5.6). */
const BIN_TABLE_AT = 0x00fa;
const PAGE_BYTES = 512;
/** `sprmCPicLocation`: where in the stream of data what a mark stands for lies. */
const LOCATION = 0x6a03;
/** Of what lies there, before the values of a form ([MS-DOC] 2.9.157 and 2.9.78). */
const HEADER_BYTES = 0x44;
const FORM = 0xffffffff;
const CHECK_BOX = 1;
const CHOICE = 2;
/** Nobody has set it: what counts is what it begins with. */
const UNSET = 25;

/**
 * What fields of a form show, by the places of their marks in the stream: whether a box is checked, or which of its words
 * stands in a list. Null for others, and for those whose values are broken.
 */
export const readFormFields = (
  main: Buffer,
  table: Buffer,
  data: Buffer | null,
): ((offset: number) => string | null) => {
  if (data === null) return () => null;
  const locations = new Map<number, number>();
  try {
    for (const page of formattedPages(main, table)) addLocations(page, locations);
  } catch {
    // Those that were found count.
  }
  return (offset) => {
    const at = locations.get(offset);
    try {
      return at === undefined ? null : valueAt(data, at + HEADER_BYTES);
    } catch {
      return null;
    }
  };
};

const formattedPages = function* (main: Buffer, table: Buffer): Generator<Buffer> {
  const start = main.readUInt32LE(BIN_TABLE_AT);
  const length = Math.min(main.readUInt32LE(BIN_TABLE_AT + 4), table.length - start);
  const count = Math.floor((length - 4) / 8);
  for (let index = 0; index < count; index += 1) {
    const number = table.readUInt32LE(start + 4 * (count + 1) + 4 * index) & 0x3fffff;
    const page = main.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    if (page.length === PAGE_BYTES) yield page;
  }
};

/** Of the first characters of runs: a mark is a run of its own. */
const addLocations = (page: Buffer, locations: Map<number, number>): void => {
  const count = page[PAGE_BYTES - 1]!;
  if (5 * count + 4 >= PAGE_BYTES) return;
  for (let index = 0; index < count; index += 1) {
    const at = 2 * page[4 * (count + 1) + index]!;
    if (at === 0) continue;
    eachProperty(page.subarray(at + 1, Math.min(at + 1 + page[at]!, PAGE_BYTES - 1)), (number, operand) => {
      if (number === LOCATION) locations.set(page.readUInt32LE(4 * index), operand.readUInt32LE(0));
    });
  }
};

/** Kind and result, lengths of a text, its name, what it begins with, five texts, and the words of a list. */
const valueAt = (data: Buffer, start: number): string | null => {
  if (data.readUInt32LE(start) !== FORM) return null;
  const bits = data.readUInt16LE(start + 4);
  const [kind, result] = [bits & 3, (bits >>> 2) & 0x1f];
  if (kind !== CHECK_BOX && kind !== CHOICE) return null;
  let at = afterText(data, start + 10);
  const value = result === UNSET ? data.readUInt16LE(at) : result;
  if (kind === CHECK_BOX) return value === 0 ? '☐' : '☒';
  at += 2;
  for (let text = 0; text < 5; text += 1) at = afterText(data, at);
  // Its mark, how many there are, and the size of what stands beside each.
  const count = data.readUInt16LE(at + 2);
  at += 6;
  if (value >= count) return null;
  for (let index = 0; index < value; index += 1) at += 2 + 2 * data.readUInt16LE(at);
  return data.toString('utf16le', at + 2, at + 2 + 2 * data.readUInt16LE(at));
};

/** Behind its length and its characters, of which the last one is zero. */
const afterText = (data: Buffer, at: number): number => at + 4 + 2 * data.readUInt16LE(at);
