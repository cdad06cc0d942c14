import { paragraphProperties, type ParagraphProperties } from './properties.ts';

/** `fcStshf` and `lcbStshf` ([MS-DOC] 2.5.6). */
const STYLES_AT = 0xa2;
const PARAGRAPH = 1;
const NO_BASE = 0xfff;
const MAX_ANCESTORS = 20;

interface Style {
  readonly base: number;
  readonly properties: ParagraphProperties;
}

/** Properties of paragraph styles by their numbers, inherited ones included ([MS-DOC] 2.9.271). What is broken tells nothing. */
export const readStyleProperties = (
  main: Buffer,
  table: Buffer,
): ((style: number) => ParagraphProperties) => {
  const styles = stylesIn(main, table);
  const known = new Map<number, ParagraphProperties>();
  return (number) => {
    const found = known.get(number) ?? inherited(styles, number);
    known.set(number, found);
    return found;
  };
};

const inherited = (styles: readonly (Style | null)[], number: number): ParagraphProperties => {
  let found: ParagraphProperties = {};
  let style = styles[number];
  for (let step = 0; style !== null && style !== undefined && step < MAX_ANCESTORS; step += 1) {
    found = { ...style.properties, ...found };
    style = styles[style.base];
  }
  return found;
};

const stylesIn = (main: Buffer, table: Buffer): readonly (Style | null)[] => {
  const start = main.readUInt32LE(STYLES_AT);
  const sheet = table.subarray(start, start + main.readUInt32LE(STYLES_AT + 4));
  if (sheet.length < 8) return [];
  const baseBytes = sheet.readUInt16LE(4);
  const styles: (Style | null)[] = [];
  let at = 2 + sheet.readUInt16LE(0);
  while (at + 2 <= sheet.length && styles.length < NO_BASE) {
    const length = sheet.readUInt16LE(at);
    styles.push(styleIn(sheet.subarray(at + 2, at + 2 + length), baseBytes));
    at += 2 + length + (length % 2);
  }
  return styles;
};

/** Behind its name stand the properties of its paragraphs: their length, its number once more, and they. */
const styleIn = (style: Buffer, baseBytes: number): Style | null => {
  if (style.length < baseBytes + 2) return null;
  const kind = style.readUInt16LE(2);
  if ((kind & 0xf) !== PARAGRAPH) return null;
  let at = baseBytes + 2 + 2 * style.readUInt16LE(baseBytes) + 2;
  at += at % 2;
  const length = at + 2 <= style.length ? style.readUInt16LE(at) : 0;
  return { base: kind >>> 4, properties: paragraphProperties(style.subarray(at + 4, at + 2 + length)) };
};
