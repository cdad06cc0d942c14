import { describe, expect, it } from 'vitest';
import { ed25519Signer, sha256Bytes, verifyEd25519 } from '../../../adapters/system/proof.ts';
import { checkpointText, parseCheckpoint } from '../../../domain/proof/checkpoint.ts';
import {
  formatVerifierKey,
  noteWith,
  parseNote,
  parseVerifierKey,
  signNote,
  verifiedBy,
} from '../../../domain/proof/note.ts';

/** The example in the documentation of golang.org/x/mod/sumdb/note. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SIGNED = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe('a signed note', () => {
  it('that Go signed is verified, and a changed one is not', () => {
    const key = parseVerifierKey(sha256Bytes, PETER)!;
    expect(verifiedBy(sha256Bytes, verifyEd25519, key, parseNote(SIGNED)!)).toMatchObject({ time: null });
    const changed = parseNote(SIGNED.replace('your problem is', 'my problem is'))!;
    expect(verifiedBy(sha256Bytes, verifyEd25519, key, changed)).toBeNull();
  });

  it('is verified by the key that signed it alone, among other signatures', () => {
    const signer = ed25519Signer(Buffer.alloc(32, 3));
    const key = { name: 'log.example/a', algorithm: 'ed25519', publicKey: signer.publicKey } as const;
    const text = checkpointText('log.example/a', { size: 7, root: Buffer.alloc(32, 9) });
    const note = noteWith(signNote(sha256Bytes, signer.sign, key, text), ['— other AAAA']);
    const parsed = parseNote(note)!;
    expect(parsed.text).toBe(text);
    expect(parsed.signatures).toHaveLength(2);
    expect(verifiedBy(sha256Bytes, verifyEd25519, key, parsed)).not.toBeNull();
    expect(verifiedBy(sha256Bytes, verifyEd25519, { ...key, name: 'log.example/b' }, parsed)).toBeNull();
    expect(parseVerifierKey(sha256Bytes, formatVerifierKey(sha256Bytes, key))).toMatchObject({
      name: key.name,
    });
    expect(parseCheckpoint(parsed.text)).toMatchObject({ origin: 'log.example/a', size: 7 });
  });

  it.each(['', 'text\n', 'text\n\n', 'text\n\nno dash\n', 'text\n\n— name\n', 'text\n\n— name AAAA'])(
    'is not what lacks a part: %j',
    (text) => {
      expect(parseNote(text)).toBeNull();
    },
  );

  it.each([
    'a\n1\n',
    'a\n01\nAAAA\n',
    'a\n-1\nAAAA\n',
    `\n1\n${Buffer.alloc(32).toString('base64')}\n`,
    'a\n1\nAAAA\n',
    `a\n1\n${Buffer.alloc(32).toString('base64')}`,
  ])('is no checkpoint if it says this: %j', (text) => {
    expect(parseCheckpoint(text)).toBeNull();
  });
});

it('a verifier key with another id, algorithm or length is none', () => {
  expect(parseVerifierKey(sha256Bytes, PETER.replace('c74f20a3', 'c74f20a4'))).toBeNull();
  expect(parseVerifierKey(sha256Bytes, PETER.replace('ARpc', 'AxpC'))).toBeNull();
  expect(parseVerifierKey(sha256Bytes, `${PETER}AA`)).toBeNull();
  expect(parseVerifierKey(sha256Bytes, 'name')).toBeNull();
});
