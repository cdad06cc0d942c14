import { createDecipheriv, hash } from 'node:crypto';
import { readXml } from '../xml/read-xml.ts';
import type { XmlAttributes } from '../xml/read-xml.ts';
import { stretched } from './stretched-password.ts';

/** What a key in the description turns into, by bytes that tell them apart ([MS-OFFCRYPTO] 2.3.4.13). */
const VERIFIER = Buffer.from('fea7d2763b4b9e79', 'hex');
const VERIFIER_DIGEST = Buffer.from('d7aa0f6d3061344e', 'hex');
const KEY = Buffer.from('146e0be7abacd0d6', 'hex');

const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA1', 'sha1'],
  ['SHA-1', 'sha1'],
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA512', 'sha512'],
]);
const SEGMENT_BYTES = 4_096;
const IV_BYTES = 16;

/** How something is locked. */
interface Lock {
  readonly digest: string;
  readonly cipher: string;
  readonly keyBytes: number;
  readonly salt: Buffer;
}

/**
 * A package that is locked as Office 2010 and later do it ([MS-OFFCRYPTO] 2.3.4.10). Null where the password is another one,
 * where the description asks for more work than is done, or for other ciphers than AES.
 *
 * @param description in XML
 * @param locked its segments, without their length
 */
export const openAgile = (
  description: string,
  locked: Buffer,
  size: number,
  password: string,
  mostSpins: number,
): Buffer | null => {
  const { data, key: keyed } = readDescription(description);
  const [content, keyLock] = [lockOf(data), lockOf(keyed)];
  const spins = Number(keyed.spinCount);
  if (content === null || keyLock === null || !(spins >= 0 && spins <= mostSpins)) return null;
  const secret = stretched(keyLock.digest, keyLock.salt, password, spins);
  const opened = (value: string | undefined, purpose: Buffer): Buffer => {
    const key = sized(hash(keyLock.digest, Buffer.concat([secret, purpose]), 'buffer'), keyLock.keyBytes);
    return decrypted(keyLock.cipher, key, sized(keyLock.salt, IV_BYTES), Buffer.from(value ?? '', 'base64'));
  };
  const verifier = opened(keyed.encryptedVerifierHashInput, VERIFIER);
  const expected = hash(keyLock.digest, verifier, 'buffer');
  const found = opened(keyed.encryptedVerifierHashValue, VERIFIER_DIGEST);
  if (verifier.length === 0 || !found.subarray(0, expected.length).equals(expected)) return null;
  const key = sized(opened(keyed.encryptedKeyValue, KEY), content.keyBytes);
  return openSegments(content, key, locked, size);
};

const openSegments = (content: Lock, key: Buffer, locked: Buffer, size: number): Buffer => {
  const opened = Buffer.alloc(Math.min(size, locked.length));
  const number = Buffer.alloc(4);
  for (let at = 0; at < opened.length; at += SEGMENT_BYTES) {
    number.writeUInt32LE(at / SEGMENT_BYTES, 0);
    const iv = sized(hash(content.digest, Buffer.concat([content.salt, number]), 'buffer'), IV_BYTES);
    decrypted(content.cipher, key, iv, locked.subarray(at, at + SEGMENT_BYTES)).copy(opened, at);
  }
  return opened;
};

const readDescription = (xml: string): { readonly data: XmlAttributes; readonly key: XmlAttributes } => {
  let data: XmlAttributes = {};
  let key: XmlAttributes = {};
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'keyData') data = attributes;
      else if (name === 'encryptedKey') key = attributes;
    },
  });
  return { data, key };
};

const lockOf = ({
  hashAlgorithm = '',
  cipherAlgorithm,
  cipherChaining,
  keyBits = '',
  saltValue = '',
}: XmlAttributes): Lock | null => {
  const digest = DIGESTS.get(hashAlgorithm);
  const isKnown = cipherAlgorithm === 'AES' && cipherChaining === 'ChainingModeCBC';
  if (digest === undefined || !isKnown || !/^(?:128|192|256)$/.test(keyBits)) return null;
  return {
    digest,
    cipher: `aes-${keyBits}-cbc`,
    keyBytes: Number(keyBits) / 8,
    salt: Buffer.from(saltValue, 'base64'),
  };
};

/** Whole blocks of them. */
const decrypted = (cipher: string, key: Buffer, iv: Buffer, bytes: Buffer): Buffer => {
  const decipher = createDecipheriv(cipher, key, iv).setAutoPadding(false);
  return decipher.update(bytes);
};

/** Cut, or filled up ([MS-OFFCRYPTO] 2.3.4.12). */
const sized = (bytes: Buffer, length: number): Buffer =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)]);
