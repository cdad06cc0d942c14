import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../adapters/http/rate-limit.ts';

describe('the rate of a key', () => {
  it('never lets more through than the rate allows, and whoever waits as told gets in', () => {
    const steps = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), steps, (perMinute, waits) => {
        let now = 0;
        let letIn = 0;
        const limit = createRateLimit(() => now);
        const overRate = (key: string, most: number) => limit(key, most).wait;
        for (const wait of waits) {
          now += wait;
          const seconds = overRate('a', perMinute);
          now += seconds * 1000;
          expect(seconds === 0 || overRate('a', perMinute) === 0).toBe(true);
          letIn += 1;
          expect(letIn).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
        }
      }),
    );
  });

  it('changes with the key, and a clock that goes back lets nobody in', () => {
    let now = 10_000;
    const limit = createRateLimit(() => now);
    const overRate = (key: string, most: number) => limit(key, most).wait;
    expect(overRate('a', 1)).toBe(0);
    expect(overRate('a', 1)).toBe(60);
    expect(overRate('a', 2)).toBe(0);
    expect(overRate('a', 2)).toBe(0);
    now = 0;
    expect(overRate('a', 2)).toBe(30);
  });

  it('forgets keys that have not asked for a while, and no other', () => {
    let now = 0;
    const limit = createRateLimit(() => now);
    const overRate = (key: string, most: number) => limit(key, most).wait;
    overRate('spent', 1);
    for (let i = 0; i < 10_000; i += 1) overRate(`key ${i}`, 1_000_000);
    now = 1_000;
    overRate('one more', 1);
    expect(overRate('spent', 1)).toBe(59);
  });
});
