/**
 * Builds a UUID version 8 (RFC 9562 section 5.8) from the first 16 bytes of a hash; version and variant bits overwrite
 * six bits.
 *
 * @throws {RangeError} for fewer than 16 bytes
 */
export function uuidFromHash(hash: Uint8Array): string {
  if (hash.length < 16) throw new RangeError('a UUID needs 16 bytes of hash');
  let hex = '';
  for (let at = 0; at < 16; at += 1) hex += HEX[byteAt(hash[at] as number, at)];
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function byteAt(byte: number, index: number): number {
  return index === 6 ? (byte & 0x0f) | 0x80 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
}
