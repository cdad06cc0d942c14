/** Hashes of a full tile: its height is 8 (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;

/** A tile as a client names it: hashes of level `8 * level` from `256 * index` on; null: the bundle of their entries. */
export interface TileName {
  readonly level: number | null;
  readonly index: number;
  /** How many of its hashes or entries; 256 of a full one. */
  readonly width: number;
}

/** How many of its hashes or entries a tile has in a tree of that size. */
export const widthOf = (level: number | null, index: number, size: number): number => {
  const hashes = Math.floor(size / TILE_WIDTH ** (level ?? 0));
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
};

const TILE = /^(0|[1-9]\d?|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Reads what follows `tile/` in a path: `<L>/<N>[.p/<W>]`, or `entries/<N>[.p/<W>]`; null if that names no tile. */
export const parseTilePath = (path: string): TileName | null => {
  const [, level, index = '', width = String(TILE_WIDTH)] = TILE.exec(path) ?? [];
  if (level === undefined) return null;
  const name = {
    level: level === 'entries' ? null : Number(level),
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: Number(width),
  };
  const isWritten = tilePath(name) === path && name.width <= TILE_WIDTH && (name.level ?? 0) <= 63;
  return isWritten ? name : null;
};

const tilePath = ({ level, index, width }: TileName): string => {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  return `${level ?? 'entries'}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
};

/** An entry bundle: each entry behind its length, 16 bits big-endian. @throws RangeError for a longer one */
export const entryBundle = (entries: readonly string[]): Uint8Array =>
  Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );
