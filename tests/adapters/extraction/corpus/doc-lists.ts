export interface DocLevel {
  /** Number of the format: 0 decimal, 1 to 4 Roman and letters, 22 with a leading zero, 23 a bullet. */
  readonly format: number;
  /** Characters below 9 stand for the numbers of levels. */
  readonly text: string;
  readonly start?: number;
  readonly legal?: boolean;
}

export interface DocList {
  readonly levels: readonly DocLevel[];
  /** Uses of it: for each the levels that begin with another number, or are others. */
  readonly uses: readonly Readonly<Record<number, number | DocLevel>>[];
}

/** Properties of an item of a list ([MS-DOC] 2.6.2): the use of the list, and the level. */
export const itemProperties = (list: number, level: number): readonly number[] => [
  0x0b,
  0x46,
  list % 256,
  list >>> 8,
  0x0a,
  0x26,
  level,
];

/** Definitions of lists with nine levels each, and their uses, in the order of the lists ([MS-DOC] 2.9.191 and 2.9.192). */
export const listTables = (
  lists: readonly DocList[],
): { readonly defined: Buffer; readonly used: Buffer } => {
  const head = Buffer.alloc(2);
  head.writeUInt16LE(lists.length);
  const levels = lists.flatMap((list) =>
    Array.from({ length: 9 }, (_, at) => levelBytes(list.levels[at] ?? { format: 255, text: '' })),
  );
  const ids = lists.map((_, index) => {
    const list = Buffer.alloc(28);
    list.writeInt32LE(1_000 + index);
    return list;
  });
  const uses = lists.flatMap((list, index) => list.uses.map((over) => ({ id: 1_000 + index, over })));
  const count = Buffer.alloc(4);
  count.writeUInt32LE(uses.length);
  const heads = uses.map(({ id, over }) => {
    const use = Buffer.alloc(16);
    use.writeInt32LE(id);
    use.writeUInt8(Object.keys(over).length, 12);
    return use;
  });
  const bodies = uses.map(({ over }) =>
    Buffer.concat([
      Buffer.alloc(4),
      ...Object.entries(over).map(([level, other]) => overBytes(Number(level), other)),
    ]),
  );
  return {
    defined: Buffer.concat([head, ...ids, ...levels]),
    used: Buffer.concat([count, ...heads, ...bodies]),
  };
};

const levelBytes = ({ format, text, start = 1, legal = false }: DocLevel): Buffer => {
  const level = Buffer.alloc(28 + 2 + 2 * text.length);
  level.writeInt32LE(start);
  level.writeUInt8(format, 4);
  level.writeUInt8(legal ? 4 : 0, 5);
  level.writeUInt16LE(text.length, 28);
  level.write(text, 30, 'utf16le');
  return level;
};

const overBytes = (level: number, other: number | DocLevel): Buffer => {
  const head = Buffer.alloc(8);
  head.writeInt32LE(typeof other === 'number' ? other : 0);
  head.writeUInt32LE(level | (typeof other === 'number' ? 0x10 : 0x20), 4);
  return typeof other === 'number' ? head : Buffer.concat([head, levelBytes(other)]);
};

/** Paragraph styles without names, each based on none but those beyond 20, which are based on the one 10 below ([MS-DOC] 2.9.271). */
export const styleSheet = (styles: Readonly<Record<number, readonly number[]>>): Buffer => {
  const numbers = Object.keys(styles).map(Number);
  const head = Buffer.from([18, 0, 0, 0, 10, 0, ...Array.from({ length: 14 }, () => 0)]);
  const entries = Array.from({ length: Math.max(0, ...numbers) + 1 }, (_, number) => {
    const properties = styles[number];
    if (properties === undefined) return Buffer.from([0, 0]);
    const base = number > 20 ? number - 10 : 0xfff;
    const style = Buffer.alloc(18 + properties.length + (properties.length % 2));
    style.writeUInt16LE(1 | (base << 4), 2);
    style.writeUInt16LE(2 + properties.length, 14);
    Buffer.from(properties).copy(style, 18);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(style.length);
    return Buffer.concat([length, style]);
  });
  return Buffer.concat([head, ...entries]);
};
