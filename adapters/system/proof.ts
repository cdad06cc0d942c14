import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { Sha256 } from '../../domain/proof/merkle.ts';
import type { Ed25519 } from '../../domain/proof/note.ts';

export const sha256Bytes: Sha256 = (data) => hash('sha256', data, 'buffer');

/** What precedes the 32 bytes of a key in DER (RFC 8410, sections 4 and 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const publicKeyOf = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });

export const verifyEd25519: Ed25519['verify'] = (publicKey, message, signature) =>
  verify(null, message, publicKeyOf(publicKey), signature);

/** @param seed 32 random bytes, the private key */
export const ed25519Signer = (
  seed: Uint8Array,
): { readonly publicKey: Uint8Array; readonly sign: Ed25519['sign'] } => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { publicKey: spki.subarray(SPKI.length), sign: (message) => sign(null, message, key) };
};
