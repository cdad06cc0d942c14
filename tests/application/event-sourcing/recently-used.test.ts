import { describe, expect, it } from 'vitest';
import { createRecentlyUsed } from '../../../application/event-sourcing/recently-used.ts';

const one = (weight: number) => ({ weight });

describe('what was used recently', () => {
  it('is kept, up to a number', () => {
    const kept = createRecentlyUsed({ count: 2, weight: 100 });
    kept.put('a', one(1));
    kept.put('b', one(1));
    kept.get('a');
    kept.put('c', one(1));
    expect(['a', 'b', 'c'].map((key) => kept.get(key) !== undefined)).toStrictEqual([true, false, true]);
  });

  it('is kept, up to a weight, and what is replaced or dropped weighs nothing', () => {
    const kept = createRecentlyUsed({ count: 100, weight: 10 });
    kept.put('a', one(4));
    kept.put('b', one(9));
    expect([kept.get('a'), kept.get('b')]).toStrictEqual([undefined, one(9)]);
    kept.put('b', one(2));
    kept.put('c', one(8));
    expect(kept.get('b')).toStrictEqual(one(2));
    kept.drop('c');
    kept.put('d', one(8));
    expect([kept.get('b'), kept.get('d')]).toStrictEqual([one(2), one(8)]);
  });
});
