import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aesGcm, masterKeyOf, parseMasterKey } from '../../../adapters/system/cipher.ts';
import { DecryptionFailed } from '../../../application/ports/vault.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
const names = fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 });

describe('AES-256-GCM', () => {
  it('opens what it sealed', () => {
    fc.assert(
      fc.property(bytes, names, (plain, belongsTo) => {
        const key = aesGcm.newKey();
        expect(Buffer.from(aesGcm.open(key, aesGcm.seal(key, plain, belongsTo), belongsTo))).toEqual(
          Buffer.from(plain),
        );
      }),
    );
  });

  it('opens nothing of which a single bit was changed', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (plain, at, bit) => {
        const key = aesGcm.newKey();
        const sealed = Buffer.from(aesGcm.seal(key, plain, ['a']));
        sealed[at % sealed.length]! ^= 1 << bit;
        expect(() => aesGcm.open(key, sealed, ['a'])).toThrow(DecryptionFailed);
      }),
    );
  });

  it('opens nothing that was cut off', () => {
    const key = aesGcm.newKey();
    const sealed = aesGcm.seal(key, Buffer.from('text'), ['a']);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => aesGcm.open(key, sealed.subarray(0, length), ['a'])).toThrow(DecryptionFailed);
    }
  });

  it('opens nothing under another key, or as belonging to something else', () => {
    const key = aesGcm.newKey();
    const sealed = aesGcm.seal(key, Buffer.from('text'), ['a', 'bc']);
    expect(() => aesGcm.open(aesGcm.newKey(), sealed, ['a', 'bc'])).toThrow(DecryptionFailed);
    for (const other of [['ab', 'c'], ['a', 'bc', ''], ['a'], ['bc', 'a'], []]) {
      expect(() => aesGcm.open(key, sealed, other)).toThrow(DecryptionFailed);
    }
  });

  it('never seals the same twice', () => {
    const key = aesGcm.newKey();
    const seals = Array.from({ length: 100 }, () => Buffer.from(aesGcm.seal(key, Buffer.of(1), [])));
    expect(new Set(seals.map((sealed) => sealed.toString('hex'))).size).toBe(100);
  });
});

describe('a master key', () => {
  const KEY = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 8 + 7));
  it('is 32 bytes in base64, in either alphabet, padded or not', () => {
    for (const text of [
      KEY.toString('base64'),
      KEY.toString('base64').slice(0, -1),
      KEY.toString('base64url'),
    ]) {
      expect(Buffer.from(parseMasterKey(text)!.bytes)).toEqual(KEY);
    }
  });

  it.each([
    '',
    'x',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)} `,
    KEY.toString('hex'),
    `${KEY.toString('base64')}\n`,
  ])('is not %j', (text) => {
    expect(parseMasterKey(text)).toBeNull();
  });

  it('has a name that is its own, and tells nothing of it', () => {
    const { id } = masterKeyOf(KEY);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(masterKeyOf(Buffer.from(KEY)).id).toBe(id);
    expect(masterKeyOf(aesGcm.newKey()).id).not.toBe(id);
    expect(KEY.toString('hex')).not.toContain(id.slice(0, 8));
  });
});
