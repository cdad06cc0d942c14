/** Places in the header of the file ([MS-DOC] 2.5.6): the table of pages with properties of characters. */
const TABLE_AT = 0xfa;
const PAGE_BYTES = 512;
/** `sprmCFRMarkDel`: a deletion was tracked. */
const DELETED = 0x0800;
/** `sprmCFVanish`, `sprmCFStrike` and `sprmCFDStrike` ([MS-DOC] 2.6.1). */
const LEAVING_OUT = new Set([0x083c, 0x0837, 0x2a53]);
/** Bytes of a value by the three upper bits of its property; 6 says its length itself ([MS-DOC] 2.2.5.1). */
const VALUE_BYTES = [1, 1, 2, 4, 2, 2, null, 3] as const;

/**
 * A copy of the main stream of a Word document in which hidden and struck-out text is marked as deleted, which is what the
 * library leaves out. Properties that are out of place are left as they are.
 */
export const withoutHiddenText = (main: Buffer, table: Buffer): Buffer => {
  const copy = Buffer.from(main);
  const [from, length] = [copy.readUInt32LE(TABLE_AT), copy.readUInt32LE(TABLE_AT + 4)];
  const pages = (length - 4) / 8;
  for (let page = 0; page < pages; page += 1) {
    const at = from + 4 * (Math.floor(pages) + 1 + page);
    if (at + 4 > table.length) break;
    const start = (table.readUInt32LE(at) & 0x3fffff) * PAGE_BYTES;
    markRuns(copy.subarray(start, start + PAGE_BYTES));
  }
  return copy;
};

/** Each run has one byte behind the borders of all: half the place of its properties, which begin with their length. */
const markRuns = (page: Buffer): void => {
  if (page.length < PAGE_BYTES) return;
  const runs = page[PAGE_BYTES - 1]!;
  for (let run = 0; run < runs; run += 1) {
    const at = 2 * (page[4 * (runs + 1) + run] ?? 0);
    if (at > 0) markProperties(page.subarray(at + 1, at + 1 + page[at]!));
  }
};

const markProperties = (properties: Buffer): void => {
  for (let at = 0; at + 3 <= properties.length;) {
    const property = properties.readUInt16LE(at);
    if (LEAVING_OUT.has(property) && (properties[at + 2]! & 1) === 1) properties.writeUInt16LE(DELETED, at);
    at += 2 + (VALUE_BYTES[property >> 13] ?? properties[at + 2]! + 1);
  }
};
