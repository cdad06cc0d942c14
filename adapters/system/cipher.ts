import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { type Cipher, type MasterKey, SealBroken } from '../../application/ports/vault.ts';
import { createRandomBytes } from './identity.ts';

const ALGORITHM = 'aes-256-gcm';
export const KEY_BYTES = 32;
/** The length for which GCM is specified without further hashing; random, for at most 2^32 texts per key (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const newNonce = createRandomBytes();
/** First byte of everything sealed, so that another algorithm can come later. */
const FORMAT = 1;

/**
 * AES-256-GCM (NIST SP 800-38D). Sealed bytes: format, nonce, tag, ciphertext. Keys are given as objects: what finds out that
 * bytes are none costs twice as much as sealing a short text.
 */
export const aesGcm: Cipher = {
  newKey: () => randomBytes(KEY_BYTES),

  seal: (key, bytes, belongsTo) => {
    const nonce = newNonce(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated(belongsTo));
    const encrypted = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ...encrypted]);
  },

  open: (key, sealed, belongsTo) => {
    const bytes = Buffer.from(sealed);
    const head = 1 + NONCE_BYTES + TAG_BYTES;
    if (bytes.length < head || bytes[0] !== FORMAT) throw broken(belongsTo);
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, head));
    decipher.setAAD(associated(belongsTo));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]);
    } catch (error) {
      throw broken(belongsTo, error);
    }
  },
};

/** JSON keeps ["a", "bc"] and ["ab", "c"] apart. */
const associated = (belongsTo: readonly string[]): Buffer => Buffer.from(JSON.stringify(belongsTo));

const broken = (belongsTo: readonly string[], cause?: unknown): SealBroken =>
  new SealBroken(`what is kept as ${belongsTo.join(' ')} is not what was sealed`, { cause });

/** @param bytes 32 random ones */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => ({
  id: createHmac('sha256', bytes).update('knowledger master key').digest('hex').slice(0, 32),
  bytes,
});

/** The key that a text in base64 (either alphabet, padded or not) stands for; null unless it is exactly 32 bytes. */
export const parseMasterKey = (text: string): MasterKey | null => {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? masterKeyOf(bytes) : null;
};
