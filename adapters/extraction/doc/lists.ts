import {
  createListMarks,
  DEEPEST_LEVEL,
  type ListDefinition,
  type ListLevel,
  type ListMarks,
} from '../office/list-marks.ts';

/** `fcPlfLst`, behind whose length the levels stand, and `fcPlfLfo` with its length ([MS-DOC] 2.5.6). */
const LISTS_AT = 0x2e2;
const USES_AT = 0x2ea;
const LIST_BYTES = 28;
const USE_BYTES = 16;
const LEVEL_BYTES = 28;

/** Formats by their numbers ([MS-OSHARED] 2.2.1.3); others are decimal. */
const FORMATS: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
};

/** Marks of the items of lists, which paragraphs name by numbers from 1. What is broken has none. */
export const readListMarks = (main: Buffer, table: Buffer): ListMarks => {
  let uses: readonly ListDefinition[] = [];
  try {
    if (main.length >= USES_AT + 8) uses = usesIn(main, table, listsIn(main, table));
  } catch {
    // Its tables lead to places that are not there.
  }
  const marks = createListMarks((list) => uses[Number(list) - 1]);
  return { next: (list, level) => (uses[Number(list) - 1] === undefined ? null : marks.next(list, level)) };
};

type Levels = (ListLevel | undefined)[];

/** Levels of lists by the ids of these: one where a list is simple, else nine ([MS-DOC] 2.9.131 and 2.9.147). */
const listsIn = (main: Buffer, table: Buffer): ReadonlyMap<number, Levels> => {
  const start = main.readUInt32LE(LISTS_AT);
  const found = new Map<number, Levels>();
  if (main.readUInt32LE(LISTS_AT + 4) < 2) return found;
  const count = table.readUInt16LE(start);
  let at = start + 2 + LIST_BYTES * count;
  for (let index = 0; index < count; index += 1) {
    const list = start + 2 + LIST_BYTES * index;
    const isSimple = (table[list + 26]! & 1) === 1;
    const levels: Levels = [];
    for (let number = 0; number <= (isSimple ? 0 : DEEPEST_LEVEL); number += 1) {
      const { level, end } = levelAt(table, at, number);
      levels.push(level);
      at = end;
    }
    found.set(table.readInt32LE(list), levels);
  }
  return found;
};

/** In its text, characters below 9 stand for the numbers of levels ([MS-DOC] 2.9.150). */
const levelAt = (table: Buffer, at: number, number: number): { level: ListLevel; end: number } => {
  const format = FORMATS[table.readUInt8(at + 4)] ?? 'decimal';
  const flags = table.readUInt8(at + 5);
  const text = at + LEVEL_BYTES + table.readUInt8(at + 24) + table.readUInt8(at + 25);
  const end = text + 2 + 2 * table.readUInt16LE(text);
  const written = [...table.toString('utf16le', text + 2, end)].map((character) =>
    character <= '\x08' ? `%${character.charCodeAt(0) + 1}` : character,
  );
  const level = {
    format,
    text: written.join(''),
    start: table.readInt32LE(at),
    legal: (flags & 4) !== 0,
    restartsAfter: (flags & 8) !== 0 ? Math.min(table.readUInt8(at + 26), number) : number,
  };
  return { level, end };
};

/** Each use of a list may begin with other numbers, or have levels of its own ([MS-DOC] 2.9.132 and 2.9.133). */
const usesIn = (
  main: Buffer,
  table: Buffer,
  lists: ReadonlyMap<number, Levels>,
): readonly ListDefinition[] => {
  const start = main.readUInt32LE(USES_AT);
  if (main.readUInt32LE(USES_AT + 4) < 4) return [];
  const count = table.readUInt32LE(start);
  const uses: ListDefinition[] = [];
  let at = start + 4 + USE_BYTES * count;
  for (let index = 0; index < count; index += 1) {
    const use = start + 4 + USE_BYTES * index;
    const key = table.readInt32LE(use);
    const levels = [...(lists.get(key) ?? [])];
    const startsOver: number[] = [];
    at += 4;
    for (let over = table.readUInt8(use + 12); over > 0; over -= 1) {
      const flags = table.readUInt32LE(at + 4);
      const number = flags & 0xf;
      const first = table.readInt32LE(at);
      at += 8;
      if ((flags & 0x20) !== 0) {
        const { level, end } = levelAt(table, at, number);
        levels[number] = level;
        at = end;
      }
      const level = levels[number];
      if ((flags & 0x30) !== 0) startsOver.push(number);
      if ((flags & 0x30) === 0x10 && level !== undefined) levels[number] = { ...level, start: first };
    }
    uses.push({ key, levels, startsOver });
  }
  return uses;
};
