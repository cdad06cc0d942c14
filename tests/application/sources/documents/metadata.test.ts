import { describe, expect, it } from 'vitest';
import { checkMetadata } from '../../../../application/sources/documents/check-metadata.ts';
import type { MetadataRecord } from '../../../../domain/source/events.ts';

const check = (...records: readonly MetadataRecord[]) => {
  try {
    checkMetadata(records);
    return 'taken';
  } catch (error) {
    return [(error as { readonly code: string }).code, (error as Error).message];
  }
};

describe('metadata of a document', () => {
  it('is taken where each value is of its type, and each key has one', () => {
    expect(check()).toBe('taken');
    expect(
      check(
        { key: 'team', val: 'a', type: 'string' },
        { key: 'team', val: 'b', type: 'string' },
        { key: 'size', val: '4', type: 'integer' },
      ),
    ).toBe('taken');
  });

  it('is refused with a value that is none of its type, of which it tells the first hundred characters', () => {
    expect(check({ key: 'size', val: 'big'.repeat(50), type: 'integer' })).toEqual([
      'invalid_request',
      `the value of "size" is no integer: "${'big'.repeat(50).slice(0, 100)}"`,
    ]);
  });

  it('is refused with a key of two types, wherever they stand', () => {
    const [text, number] = [
      { key: 'a', val: '1', type: 'string' },
      { key: 'a', val: '1', type: 'integer' },
    ] as const;
    const between = { key: 'b', val: '1', type: 'integer' } as const;
    for (const records of [
      [text, number],
      [number, between, text],
    ])
      expect(check(...records)).toEqual(['invalid_request', '"a" is given with two types: use one']);
  });
});
