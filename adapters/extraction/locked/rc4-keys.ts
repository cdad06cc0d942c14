import { hash } from 'node:crypto';
import { createRc4, type Rc4 } from './rc4.ts';

/** The cipher for a numbered block of a file. */
export type BlockCipher = (block: number) => Rc4;

/**
 * Keys of a file that is locked by RC4, from its header: by the first method ([MS-OFFCRYPTO] 2.3.6) or by CryptoAPI (2.3.5).
 * Null where the password is another one, or where the header is of neither.
 */
export const rc4Keys = (header: Buffer, password: string): BlockCipher | null => {
  if (header.length < 4) return null;
  const [major, minor] = [header.readUInt16LE(0), header.readUInt16LE(2)];
  if (major === 1 && minor === 1) return firstMethod(header.subarray(4), password);
  if (major >= 2 && major <= 4 && minor === 2) return cryptoApi(header.subarray(8), password);
  return null;
};

const SALT_BYTES = 16;
const VERIFIER_BYTES = 16;
/** Of 40 bits, whatever the length of what follows. */
const WEAK_BYTES = 5;

const firstMethod = (header: Buffer, password: string): BlockCipher | null => {
  const weak = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, WEAK_BYTES);
  const salted = Buffer.concat([weak, header.subarray(0, SALT_BYTES)]);
  const key = digest('md5', Buffer.concat(Array.from({ length: 16 }, () => salted))).subarray(0, WEAK_BYTES);
  const cipher: BlockCipher = (block) => createRc4(digest('md5', Buffer.concat([key, number32(block)])));
  return opens(cipher(0), header.subarray(SALT_BYTES), 'md5') ? cipher : null;
};

/** The header of the cipher has the number of bits at 16, and is followed by the verifier, which begins with the salt. */
const cryptoApi = (sized: Buffer, password: string): BlockCipher | null => {
  if (sized.length < 4) return null;
  const end = 4 + sized.readUInt32LE(0);
  if (end < 24 || end + 4 > sized.length) return null;
  const bits = sized.readUInt32LE(4 + 16);
  const verifier = sized.subarray(end + 4);
  const salted = digest(
    'sha1',
    Buffer.concat([verifier.subarray(0, SALT_BYTES), Buffer.from(password, 'utf16le')]),
  );
  const keyBytes = bits === 0 ? WEAK_BYTES : Math.min(Math.max(bits >>> 3, WEAK_BYTES), 16);
  const cipher: BlockCipher = (block) => {
    const key = digest('sha1', Buffer.concat([salted, number32(block)])).subarray(0, keyBytes);
    return createRc4(keyBytes === WEAK_BYTES ? Buffer.concat([key, Buffer.alloc(11)]) : key);
  };
  const shown = verifier.subarray(SALT_BYTES);
  // Between the two stands the length of the second.
  const pair = Buffer.concat([shown.subarray(0, VERIFIER_BYTES), shown.subarray(VERIFIER_BYTES + 4)]);
  return opens(cipher(0), pair, 'sha1') ? cipher : null;
};

/** Whether it turns the two parts of a verifier into random bytes and their digest. */
const opens = (cipher: Rc4, locked: Buffer, algorithm: 'md5' | 'sha1'): boolean => {
  const bytes = Buffer.from(locked.subarray(0, VERIFIER_BYTES + (algorithm === 'md5' ? 16 : 20)));
  cipher(bytes);
  return digest(algorithm, bytes.subarray(0, VERIFIER_BYTES)).equals(bytes.subarray(VERIFIER_BYTES));
};

const digest = (algorithm: string, bytes: Buffer): Buffer => hash(algorithm, bytes, 'buffer');

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0, 0);
  return bytes;
};
