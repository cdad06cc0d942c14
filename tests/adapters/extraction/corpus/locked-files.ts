import { createCipheriv, createHash } from 'node:crypto';
import { createRc4 } from '../../../../adapters/extraction/locked/rc4.ts';
import { compoundFile } from './compound-file.ts';
import type { PptLock } from './ppt-file.ts';

const digest = (algorithm: string, ...parts: readonly Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(parts)).digest();
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const number32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 * index));
  return bytes;
};
const fit = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(length, 0x36)]).subarray(0, length);
const SALT = Buffer.from('a salt of 16 byt');
const SECRET = Buffer.from('sixteen random b');

const spun = (algorithm: string, password: string, spins: number): Buffer => {
  let value = digest(algorithm, SALT, utf16(password));
  for (let spin = 0; spin < spins; spin += 1) value = digest(algorithm, number32(spin), value);
  return value;
};

const packageSize = (content: Buffer): Buffer => number32(content.length, 0);

interface AgileOptions {
  readonly spins?: number;
  readonly algorithm?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  readonly bits?: 128 | 192 | 256;
  readonly chaining?: string;
}

/** A package under a password, as Office 2010 and later write it ([MS-OFFCRYPTO] 2.3.4.10). */
export const agilePackage = (content: Buffer, password: string, options: AgileOptions = {}): Buffer => {
  const { spins = 10, algorithm = 'sha512', bits = 256, chaining = 'CBC' } = options;
  const cipher = (key: Buffer, iv: Buffer, bytes: Buffer): string => {
    const whole = Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
    return createCipheriv(`aes-${bits}-cbc`, key, iv).setAutoPadding(false).update(whole).toString('base64');
  };
  const stretched = spun(algorithm, password, spins);
  const under = (block: string, bytes: Buffer): string =>
    cipher(fit(digest(algorithm, stretched, Buffer.from(block, 'hex')), bits / 8), SALT, bytes);
  const key = Buffer.alloc(bits / 8, 'key of the package');
  const segments = Array.from({ length: Math.ceil(content.length / 4_096) }, (_, index) => {
    const iv = fit(digest(algorithm, SALT, number32(index)), 16);
    return Buffer.from(cipher(key, iv, content.subarray(4_096 * index, 4_096 * (index + 1))), 'base64');
  });
  const common = `saltSize="16" blockSize="16" keyBits="${bits}" hashSize="${digest(algorithm).length}" cipherAlgorithm="AES" cipherChaining="ChainingMode${chaining}" hashAlgorithm="${algorithm.toUpperCase()}" saltValue="${SALT.toString('base64')}"`;
  const description = `<?xml version="1.0" encoding="UTF-8"?><encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${common}/><keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spins}" ${common} encryptedVerifierHashInput="${under('fea7d2763b4b9e79', SECRET)}" encryptedVerifierHashValue="${under('d7aa0f6d3061344e', digest(algorithm, SECRET))}" encryptedKeyValue="${under('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`;
  return compoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 4, 0]), number32(0x40), Buffer.from(description)]),
    EncryptedPackage: Buffer.concat([packageSize(content), ...segments]),
  });
};

/** As Office 2007 writes it ([MS-OFFCRYPTO] 2.3.4.5). */
export const standardPackage = (content: Buffer, password: string, bits: 128 | 256 = 128): Buffer => {
  const last = digest('sha1', spun('sha1', password, 50_000), number32(0));
  const half = (filler: number): Buffer =>
    digest('sha1', Buffer.alloc(64, filler).map((byte, index) => byte ^ (last[index] ?? 0)) as Buffer);
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, bits / 8);
  const cipher = (bytes: Buffer): Buffer => {
    const whole = Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
    return createCipheriv(`aes-${bits}-ecb`, key, null).setAutoPadding(false).update(whole);
  };
  const name = utf16('Microsoft Enhanced RSA and AES Cryptographic Provider\0');
  const header = Buffer.concat([number32(0x24, 0, 0x660e, 0x8004, bits, 0x18, 0, 0), name]);
  return compoundFile({
    EncryptionInfo: Buffer.concat([
      Buffer.from([4, 0, 2, 0]),
      number32(0x24, header.length),
      header,
      number32(16),
      SALT,
      cipher(SECRET),
      number32(20),
      cipher(digest('sha1', SECRET)),
    ]),
    EncryptedPackage: Buffer.concat([packageSize(content), cipher(content)]),
  });
};

/** A header, and keys for blocks. */
interface Rc4Lock {
  readonly header: Buffer;
  readonly key: (block: number) => Buffer;
}

/** RC4 as Office 97 has it ([MS-OFFCRYPTO] 2.3.6). */
export const rc4Lock = (password: string): Rc4Lock => {
  const weak = digest('md5', utf16(password)).subarray(0, 5);
  const base = digest('md5', ...Array.from({ length: 16 }, () => [weak, SALT]).flat()).subarray(0, 5);
  const key = (block: number): Buffer => digest('md5', base, number32(block));
  const verifier = turned(key(0), Buffer.concat([SECRET, digest('md5', SECRET)]));
  return { header: Buffer.concat([Buffer.from([1, 0, 1, 0]), SALT, verifier]), key };
};

/** RC4 by CryptoAPI, as Office XP has it (2.3.5). */
export const cryptoApiLock = (password: string, bits: 40 | 128): Rc4Lock => {
  const base = digest('sha1', SALT, utf16(password));
  const key = (block: number): Buffer => {
    const bytes = digest('sha1', base, number32(block)).subarray(0, bits / 8);
    return bits === 40 ? Buffer.concat([bytes, Buffer.alloc(11)]) : bytes;
  };
  const verifier = turned(key(0), Buffer.concat([SECRET, digest('sha1', SECRET)]));
  const provider = Buffer.concat([number32(4, 0, 0x6801, 0x8004, bits, 1, 0, 0), utf16('Base\0')]);
  const header = Buffer.concat([
    Buffer.from([4, 0, 2, 0]),
    number32(4, provider.length),
    provider,
    number32(16),
    SALT,
    verifier.subarray(0, 16),
    number32(20),
    verifier.subarray(16),
  ]);
  return { header, key };
};

const turned = (key: Buffer, bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  createRc4(key)(copy);
  return copy;
};

export const presentationLock = (password: string): PptLock => {
  const { header, key } = cryptoApiLock(password, 128);
  return { header, lock: (persistId, object) => turned(key(persistId), object) };
};

/** Records that stand open in a locked workbook ([MS-XLS] 2.2.10), of those that tests write. */
const OPEN = new Set([0x0809, 0x002f]);

/** With a lock behind its first record, and everything behind that turned. @param body of the lock */
const lockedStream = (
  stream: Buffer,
  body: Buffer,
  turn: (bytes: Buffer, start: number) => Buffer,
): Buffer => {
  const first = 4 + stream.readUInt16LE(2);
  const lock = Buffer.concat([Buffer.from([0x2f, 0, body.length & 0xff, body.length >> 8]), body]);
  const parts = [stream.subarray(0, first), lock];
  for (let at = first, place = first + lock.length; at < stream.length;) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    const content = Buffer.from(stream.subarray(at + 4, at + 4 + length));
    const turnedBody = OPEN.has(type) ? content : turn(content, place + 4);
    if (type === 0x0085) {
      // Where the sheet begins is told in the open.
      content.copy(turnedBody, 0, 0, 4);
      turnedBody.writeUInt32LE(content.readUInt32LE(0) + lock.length, 0);
    }
    parts.push(stream.subarray(at, at + 4), turnedBody);
    [at, place] = [at + 4 + length, place + 4 + length];
  }
  return Buffer.concat(parts);
};

export const rc4Stream = (stream: Buffer, { header, key }: Rc4Lock): Buffer => {
  const pads = new Map<number, Buffer>();
  const padOf = (block: number): Buffer => {
    const pad = pads.get(block) ?? turned(key(block), Buffer.alloc(1_024));
    pads.set(block, pad);
    return pad;
  };
  return lockedStream(
    stream,
    Buffer.concat([Buffer.from([1, 0]), header]),
    (bytes, start) =>
      bytes.map((byte, index) => {
        const at = start + index;
        return byte ^ padOf(Math.floor(at / 1_024))[at % 1_024]!;
      }) as Buffer,
  );
};

/** Obfuscated ([MS-OFFCRYPTO] 2.3.7). @param key and verifier of the password, and the mask that they make, as hex */
export const xorStream = (
  stream: Buffer,
  { version, head, mask }: { readonly version: 5 | 8; readonly head: string; readonly mask: string },
): Buffer => {
  const bytes16 = Buffer.from(mask, 'hex');
  const body = Buffer.concat([Buffer.alloc(version === 8 ? 2 : 0), Buffer.from(head, 'hex')]);
  return lockedStream(
    stream,
    body,
    (bytes, start) =>
      bytes.map((byte, index) => rotated(byte ^ bytes16[(start + bytes.length + index) % 16]!, 5)) as Buffer,
  );
};

const rotated = (byte: number, left: number): number => ((byte << left) | (byte >>> (8 - left))) & 0xff;
