/** Sectors of a compound file ([MS-CFB] 2.2 to 2.5), which chains of numbers string together to streams. */
export interface Sectors {
  /**
   * Bytes of a chain up to `size`; what a broken or cut chain leads to. Takes time and memory by what is asked for, and no
   * more than the file has: a chain that comes back to itself ends there.
   */
  read(first: number, size: number): Buffer;
  /** Whether all sectors of the chain are there. */
  isWhole(first: number): boolean;
}

const LAST_REGULAR = 0xfffffffa;
const DIRECT_FAT_SECTORS = 109;

/** @throws {RangeError} where the header is cut or says nothing sensible */
export const readSectors = (bytes: Buffer): Sectors => {
  const shift = bytes.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) throw new RangeError('neither version 3 nor 4');
  const sectorBytes = 2 ** shift;
  const sector = (number: number): Buffer =>
    bytes.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes);
  const table = fatSectors(bytes, sector, sectorBytes);
  return chained(sector, sectorBytes, Math.ceil(bytes.length / sectorBytes), (number) => {
    const part = table[Math.floor((4 * number) / sectorBytes)];
    return part === undefined ? null : numberAt(sector(part), (4 * number) % sectorBytes);
  });
};

/** Short sectors of a stream, with a table of their own ([MS-CFB] 2.4). */
export const readShortSectors = (stream: Buffer, table: Buffer, sectorBytes: number): Sectors =>
  chained(
    (number) => stream.subarray(number * sectorBytes, (number + 1) * sectorBytes),
    sectorBytes,
    Math.ceil(stream.length / sectorBytes),
    (number) => numberAt(table, 4 * number),
  );

const chained = (
  sector: (number: number) => Buffer,
  sectorBytes: number,
  count: number,
  next: (number: number) => number | null,
): Sectors => {
  const follow = function* (first: number): Generator<number> {
    const seen = new Set<number>();
    for (let at: number | null = first; at !== null && at <= LAST_REGULAR && !seen.has(at); at = next(at)) {
      seen.add(at);
      yield at;
      // Those beyond the end have no successor worth looking for.
      if (at >= count) return;
    }
  };
  return {
    read: (first, size) => {
      const parts: Buffer[] = [];
      let length = 0;
      for (const number of follow(first)) {
        if (length >= size) break;
        const part = sector(number);
        parts.push(part);
        length += part.length;
        if (part.length < sectorBytes) break;
      }
      return Buffer.concat(parts).subarray(0, size);
    },
    isWhole: (first) => {
      for (const number of follow(first)) if (sector(number).length < sectorBytes) return false;
      return true;
    },
  };
};

const numberAt = (part: Buffer, at: number): number | null =>
  at + 4 <= part.length ? part.readUInt32LE(at) : null;

/** Numbers of the sectors that hold the table: 109 in the header, others in sectors of their own. */
const fatSectors = (
  bytes: Buffer,
  sector: (number: number) => Buffer,
  sectorBytes: number,
): readonly number[] => {
  const most = Math.ceil(bytes.length / sectorBytes);
  const found: number[] = [];
  const add = (part: Buffer, entries: number): void => {
    for (let index = 0; index < entries && found.length < most; index += 1) {
      const number = numberAt(part, 4 * index);
      if (number !== null && number <= LAST_REGULAR) found.push(number);
    }
  };
  add(bytes.subarray(0x4c), DIRECT_FAT_SECTORS);
  const perSector = sectorBytes / 4 - 1;
  let at = bytes.readUInt32LE(0x44);
  for (let step = 0; step < most && at <= LAST_REGULAR; step += 1) {
    const part = sector(at);
    add(part, perSector);
    at = numberAt(part, 4 * perSector) ?? LAST_REGULAR + 1;
  }
  return found;
};
