/** Bytes that grow. */
export interface ByteWriter {
  readonly byte: (value: number) => void;
  /** A whole number from 0 to 2^53, seven bits a byte, the lowest first; all but the last byte have their highest bit. */
  readonly varint: (value: number) => void;
  readonly bytes: (source: Uint8Array, from: number, to: number) => void;
  readonly length: () => number;
  /** A copy of what was written; then there is nothing. */
  readonly take: () => Uint8Array;
}

export const createByteWriter = (capacity = 1_024): ByteWriter => {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  const makeRoom = (more: number): void => {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    byte: (value) => {
      makeRoom(1);
      buffer[length++] = value;
    },
    varint: (value) => {
      makeRoom(8);
      let rest = value;
      while (rest >= 128) {
        buffer[length++] = (rest % 128) | 128;
        rest = Math.floor(rest / 128);
      }
      buffer[length++] = rest;
    },
    bytes: (source, from, to) => {
      makeRoom(to - from);
      buffer.set(source.subarray(from, to), length);
      length += to - from;
    },
    length: () => length,
    take: () => {
      const taken = buffer.slice(0, length);
      length = 0;
      return taken;
    },
  };
};

/** Where reading has come to. */
export interface Place {
  at: number;
}

/** @throws nothing: beyond the end there are zeros */
export const readVarint = (bytes: Uint8Array, place: Place): number => {
  let byte = bytes[place.at++] ?? 0;
  if (byte < 128) return byte;
  let value = byte & 127;
  for (let unit = 128; byte >= 128; unit *= 128) {
    byte = bytes[place.at++] ?? 0;
    value += (byte & 127) * unit;
  }
  return value;
};
