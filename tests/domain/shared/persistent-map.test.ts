import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMap, type PersistentMap } from '../../../domain/shared/persistent-map.ts';

/** Few keys, so that they are met again; two of them share their hash. */
const KEYS = [...Array.from({ length: 60 }, (_, i) => `key ${i}`), 'costarring', 'liquid', ''];

const step = fc.record({ key: fc.constantFrom(...KEYS), value: fc.option(fc.nat()) });
const sorted = (values: Iterable<number>): readonly number[] => [...values].toSorted((a, b) => a - b);

describe('a persistent map', () => {
  it('holds what a Map holds, and older versions stay as they were', () => {
    const shared = { collisions: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 200, size: 'max' }), (steps) => {
        const map = new Map<string, number>();
        const versions: [PersistentMap<number>, ReadonlyMap<string, number>][] = [];
        let persistent = emptyMap<number>();
        for (const { key, value } of steps) {
          persistent = value === null ? persistent.without(key) : persistent.with(key, value);
          if (value === null) map.delete(key);
          else map.set(key, value);
          versions.push([persistent, new Map(map)]);
        }
        for (const [version, expected] of versions) {
          expect(version.size).toBe(expected.size);
          expect(sorted(version.values())).toEqual(sorted(expected.values()));
          expect(KEYS.map(version.get)).toEqual(KEYS.map((key) => expected.get(key)));
          if (expected.has('costarring') && expected.has('liquid')) shared.collisions += 1;
        }
      }),
      { numRuns: 20 },
    );
    expect(shared.collisions).toBeGreaterThan(0);
  });

  it('knows a key whose value is undefined', () => {
    const map = emptyMap<undefined>().with('a', undefined);
    expect([map.has('a'), map.has('b'), map.size, map.without('a').has('a')]).toEqual([
      true,
      false,
      1,
      false,
    ]);
  });
});
