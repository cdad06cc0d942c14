import { createDecipheriv, hash } from 'node:crypto';
import { stretched } from './stretched-password.ts';

/** Of the header: its size at 8, and within it the number of bits of the key ([MS-OFFCRYPTO] 2.3.2 and 2.3.4.5). */
const HEADER_AT = 12;
const BITS_AT = HEADER_AT + 16;
const SPINS = 50_000;
const BLOCK_BYTES = 16;

/**
 * A package that is locked as Office 2007 does it ([MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9). Null where the password is another one,
 * or where the header is of something else.
 *
 * @param header the stream that describes it
 * @param locked its bytes, without their length
 */
export const openStandard = (
  header: Buffer,
  locked: Buffer,
  size: number,
  password: string,
): Buffer | null => {
  if (header.length < BITS_AT + 4) return null;
  const bits = header.readUInt32LE(BITS_AT);
  const verifier = header.subarray(HEADER_AT + header.readUInt32LE(8) + 4);
  if (![128, 192, 256].includes(bits) || verifier.length < 68) return null;
  const key = keyOf(verifier.subarray(0, 16), password, bits / 8);
  const opened = (bytes: Buffer): Buffer =>
    createDecipheriv(`aes-${bits}-ecb`, key, null).setAutoPadding(false).update(bytes);
  const expected = hash('sha1', opened(verifier.subarray(16, 32)), 'buffer');
  // Between the two stands the length of the second.
  if (!opened(verifier.subarray(36, 68)).subarray(0, expected.length).equals(expected)) return null;
  const whole = locked.length - (locked.length % BLOCK_BYTES);
  return opened(locked.subarray(0, whole)).subarray(0, size);
};

const keyOf = (salt: Buffer, password: string, bytes: number): Buffer => {
  const secret = hash(
    'sha1',
    Buffer.concat([stretched('sha1', salt, password, SPINS), Buffer.alloc(4)]),
    'buffer',
  );
  const half = (filler: number): Buffer => {
    const block = Buffer.alloc(64, filler);
    for (const [index, byte] of secret.entries()) block[index]! ^= byte;
    return hash('sha1', block, 'buffer');
  };
  return Buffer.concat([half(0x36), half(0x5c)]).subarray(0, bytes);
};
