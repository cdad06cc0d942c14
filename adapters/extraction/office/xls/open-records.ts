import { OF_WORKBOOKS } from '../../locked/known-passwords.ts';
import { rc4Keys, type BlockCipher } from '../../locked/rc4-keys.ts';
import { xorMask } from './xor-mask.ts';

/** Types of records ([MS-XLS] 2.3.1). */
const BEGIN = 0x0809;
const LOCKED = 0x002f;
const SHEET = 0x0085;
/** Stands open in a locked stream, as `LOCKED` and `BEGIN` do ([MS-XLS] 2.2.10). */
const OPEN = new Set([BEGIN, LOCKED, 0x00e1, 0x0194, 0x0195, 0x0196, 0x0138]);
/** Where a sheet begins is told in the open. */
const PLACE_BYTES = 4;
/** Says nothing, and has no body that anybody reads. */
const NOTHING = 0x00e2;
const BIFF_8 = 0x0600;
const BLOCK_BYTES = 1_024;

/** Turns the bytes of a record from `from` on. @param start where its body begins in the stream */
type Opener = (body: Buffer, start: number, from: number) => void;

/**
 * A copy of a workbook stream without its lock, where its password is the one that spreadsheet programs try themselves: whose
 * records are obfuscated ([MS-OFFCRYPTO] 2.3.7) or under RC4. The same stream where it is not locked; null for another password.
 */
export const openRecords = (stream: Buffer): Buffer | null => {
  const at = lockAt(stream);
  if (at === null) return stream;
  const opener = openerOf(stream, at);
  if (opener === null) return null;
  const copy = Buffer.from(stream);
  copy.writeUInt16LE(NOTHING, at);
  for (let next = at; next + 4 <= copy.length;) {
    const type = stream.readUInt16LE(next);
    const start = next + 4;
    next = start + stream.readUInt16LE(next + 2);
    if (!OPEN.has(type)) opener(copy.subarray(start, next), start, type === SHEET ? PLACE_BYTES : 0);
  }
  return copy;
};

/** Of the first lock, which stands before the first sheet. */
const lockAt = (stream: Buffer): number | null => {
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const type = stream.readUInt16LE(at);
    if (type === LOCKED) return at;
    if (type === SHEET) return null;
  }
  return null;
};

const openerOf = (stream: Buffer, at: number): Opener | null => {
  const header = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
  const isNewer = stream.length >= 6 && stream.readUInt16LE(4) >= BIFF_8;
  if (isNewer && header.length >= 2 && header.readUInt16LE(0) === 1) {
    const cipher = rc4Keys(header.subarray(2), OF_WORKBOOKS);
    return cipher === null ? null : byBlocks(cipher);
  }
  const mask = xorMask(isNewer ? header.subarray(2) : header, OF_WORKBOOKS);
  return mask === null ? null : byMask(mask);
};

/** All bytes of the stream count, those that stand open too; each 1,024 have a key of their own. */
const byBlocks = (cipher: BlockCipher): Opener => {
  let current = -1;
  let pad = Buffer.alloc(0);
  return (body, start, from) => {
    for (let index = from; index < body.length; index += 1) {
      const block = Math.floor((start + index) / BLOCK_BYTES);
      if (block !== current) {
        pad = Buffer.alloc(BLOCK_BYTES);
        cipher(block)(pad);
        current = block;
      }
      body[index]! ^= pad[(start + index) % BLOCK_BYTES]!;
    }
  };
};

/** Begins anew with each record, by where that ends. */
const byMask =
  (mask: Buffer): Opener =>
  (body, start, from) => {
    for (let index = from; index < body.length; index += 1) {
      const byte = body[index]! ^ mask[(start + body.length + index) % mask.length]!;
      body[index] = (byte << 3) | (byte >>> 5);
    }
  };
