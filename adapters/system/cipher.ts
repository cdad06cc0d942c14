import type { TokenSigner } from '../../application/ports/secrets.ts';
import { type Cipher, type MasterKey, DecryptionFailed } from '../../application/ports/vault.ts';
import { createRandomBytes } from './identity.ts';
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createSecretKey,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/**
 * The length for which GCM needs no further hashing. Random nonces are safe for at most 2^32 texts per key
 * (NIST SP 800-38D, 8.3).
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const newNonce = createRandomBytes();
/** First byte of every sealed text, so that another algorithm can be added. */
const FORMAT = 1;

/**
 * AES-256-GCM (NIST SP 800-38D). Sealed bytes: format, nonce, tag, ciphertext. Keys are passed as key
 * objects, because Node's check of byte arrays costs twice as much as sealing a short text.
 */
export const aesGcm: Cipher = {
  newKey: () => randomBytes(KEY_BYTES),

  seal: (key, bytes, belongsTo) => {
    const nonce = newNonce(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(belongsTo));
    const encrypted = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ...encrypted]);
  },

  open: (key, sealed, belongsTo) => {
    const bytes = Buffer.from(sealed);
    const head = 1 + NONCE_BYTES + TAG_BYTES;
    if (bytes.length < head || bytes[0] !== FORMAT) throw decryptionFailed(belongsTo);
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, head));
    decipher.setAAD(associatedData(belongsTo));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]);
    } catch (error) {
      throw decryptionFailed(belongsTo, error);
    }
  },
};

/** JSON distinguishes ["a", "bc"] from ["ab", "c"]. */
const associatedData = (belongsTo: readonly string[]): Buffer => Buffer.from(JSON.stringify(belongsTo));

const decryptionFailed = (belongsTo: readonly string[], cause?: unknown): DecryptionFailed =>
  new DecryptionFailed(`the stored text of ${belongsTo.join(' ')} is not the one that was sealed`, { cause });

/** @param bytes 32 random bytes */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => ({
  id: createHmac('sha256', bytes).update('knowledger master key').digest('hex').slice(0, 32),
  bytes,
});

/** Parses a key from base64 (either alphabet, padded or not); null unless it has exactly 32 bytes. */
export const parseMasterKey = (text: string): MasterKey | null => {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? masterKeyOf(bytes) : null;
};

/**
 * Reads the key in a file; null if there is no file.
 *
 * @throws when the file contains something else
 */
export const readKeyFile = async (path: string): Promise<MasterKey | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`the key in ${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (text === null) return null;
  const key = parseMasterKey(text.trim());
  if (key === null) throw new Error(`${path} does not contain a key of 32 bytes in base64`);
  return key;
};

/**
 * Creates a random key in a file that only our user can read, and syncs it. The file is complete as soon as
 * it exists. If another process was faster, returns that process's key.
 */
export const makeKeyFile = async (path: string): Promise<MasterKey> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces an existing key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
  return (await readKeyFile(path))!;
};

/** Replaces the file at `path` and syncs the change. */
export const replaceKeyFile = async (from: string, path: string): Promise<void> => {
  await rename(from, path);
  await syncDirectory(dirname(path));
};

/** Makes a new name survive a crash of the machine (fsync(2)). Windows cannot open directories. */
const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3). */
export const rs256: TokenSigner = {
  canSign: (privateKey) => {
    try {
      return createPrivateKey(privateKey).asymmetricKeyType === 'rsa';
    } catch {
      return false;
    }
  },
  sign: (claims, privateKey, keyId) => {
    const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
    const signed = `${part(header)}.${part(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  },
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
