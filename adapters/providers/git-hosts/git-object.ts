import { createHash } from 'node:crypto';

const HEADER_OF_POINTER = 'version https://git-lfs.github.com/spec/v1';
const MOST_OF_POINTER = 1_024;
/** Git looks as far to tell text from what is none. */
const MOST_OF_TEXT = 8_000;

/** By which git knows these bytes. @param digits 40 for SHA-1, 64 for SHA-256 in repositories that use it */
export const gitBlobName = (bytes: Uint8Array, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.byteLength}\0`)
    .update(bytes)
    .digest('hex');

/** Stands for a file that lies in another store (git-lfs.com, specification of pointers). */
export const isLfsPointer = (bytes: Uint8Array): boolean =>
  bytes.byteLength <= MOST_OF_POINTER && bytesOf(bytes, HEADER_OF_POINTER.length) === HEADER_OF_POINTER;

/** As git decides it: a NUL near the beginning makes a file binary. UTF-16 with its mark is text for us. */
export const looksLikeText = (bytes: Uint8Array): boolean => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return !bytes.subarray(0, MOST_OF_TEXT).includes(0);
};

const bytesOf = (bytes: Uint8Array, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, bytes.byteLength)).toString('latin1');
