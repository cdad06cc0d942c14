/** Of the operand of a property, by the three upper bits of its number ([MS-DOC] 2.6.1); 6: as long as its first byte says. */
const SIZES = [1, 1, 2, 4, 2, 2, 0, 3];
/** Operands whose length has two bytes, and one more than follow. */
const LONG = new Set([0xd606, 0xd608]);
/** Its operand of 255 bytes is longer, as it says itself ([MS-DOC] 2.9.179). */
const TABS = 0xc615;

/** Visits properties of a paragraph or of characters in their order, as far as they are whole. @param visit with the operand */
export const eachProperty = (bytes: Buffer, visit: (number: number, operand: Buffer) => void): void => {
  let at = 0;
  while (at + 3 <= bytes.length) {
    const number = bytes.readUInt16LE(at);
    const size = sizeOf(number, bytes, at + 2);
    if (at + 2 + size > bytes.length) return;
    visit(number, bytes.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
};

const sizeOf = (number: number, bytes: Buffer, at: number): number => {
  const fixed = SIZES[number >>> 13]!;
  if (fixed > 0) return fixed;
  const first = bytes[at]!;
  if (LONG.has(number)) return 1 + Math.max(1, first + 256 * (bytes[at + 1] ?? 0));
  if (number !== TABS || first < 255) return 1 + first;
  const deleted = bytes[at + 1] ?? 0;
  return 3 + 4 * deleted + 3 * (bytes[at + 2 + 4 * deleted] ?? 0);
};

/** What the reader takes from the properties of a paragraph or of its style; undefined where they are silent. */
export interface ParagraphProperties {
  readonly inTable?: boolean;
  readonly endsRow?: boolean;
  /** Of its outline: 0–8 are headings, 9 is text. */
  readonly outline?: number;
  /** From 1; 0 for none. */
  readonly list?: number;
  readonly listLevel?: number;
}

/** `sprmPFInTable`, `sprmPFTtp`, `sprmPOutLvl`, `sprmPIlfo`, `sprmPIlvl`. */
export const paragraphProperties = (bytes: Buffer): ParagraphProperties => {
  const found: { -readonly [Key in keyof ParagraphProperties]: ParagraphProperties[Key] } = {};
  eachProperty(bytes, (number, operand) => {
    const value = operand[0]!;
    if (number === 0x2416) found.inTable = value === 1;
    else if (number === 0x2417) found.endsRow = value === 1;
    else if (number === 0x2640) found.outline = value;
    else if (number === 0x460b) found.list = operand.readUInt16LE(0);
    else if (number === 0x260a) found.listLevel = value;
  });
  return found;
};
