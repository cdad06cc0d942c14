import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentId, uuidFromHash } from '../../../domain/chunking/content-id.ts';

const digest = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();
const source = '0198c1f0-7c1e-7000-8000-000000000001';

describe('contentId', () => {
  it('is the same for the same source, text and occurrence', () => {
    const id = contentId(source, { text_hash: 'ab', occurrence: 0 }, digest);
    expect(contentId(source, { text_hash: 'ab', occurrence: 0 }, digest)).toBe(id);
    expect(id).toBe('7b5943e8-9f72-8282-90d5-7f3d99130b8b');
  });

  it('differs with source, text and occurrence', () => {
    const ids = [
      contentId(source, { text_hash: 'ab', occurrence: 0 }, digest),
      contentId(source, { text_hash: 'ab', occurrence: 1 }, digest),
      contentId(source, { text_hash: 'ac', occurrence: 0 }, digest),
      contentId(source.replace('1', '2'), { text_hash: 'ab', occurrence: 0 }, digest),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('uuidFromHash', () => {
  it('is a UUID of version 8 and variant 10 that keeps the other 122 bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 32 }), (bytes) => {
        const uuid = uuidFromHash(bytes);
        expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        const hex = Buffer.from(bytes).toString('hex');
        expect(uuid.replaceAll('-', '').slice(0, 12)).toBe(hex.slice(0, 12));
        expect(uuid.slice(-12)).toBe(hex.slice(20, 32));
      }),
    );
  });

  it('formats the vector of RFC 9562 appendix B.2', () => {
    const bytes = Buffer.from('5c146b143c524afd938a375d0df1fbf6', 'hex');
    expect(uuidFromHash(bytes)).toBe('5c146b14-3c52-8afd-938a-375d0df1fbf6');
  });

  it('refuses fewer than 16 bytes', () => {
    expect(() => uuidFromHash(new Uint8Array(15))).toThrow(RangeError);
  });
});
