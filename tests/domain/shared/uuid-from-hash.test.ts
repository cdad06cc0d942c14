import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uuidFromHash } from '../../../domain/shared/uuid-from-hash.ts';

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
});
