import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../adapters/http/rate-limit.ts';

describe('the rate of a key', () => {
  it('lets a minute of requests through at once, then one at a time', () => {
    let now = 0;
    const overRate = createRateLimit(() => now);
    for (let i = 0; i < 60; i += 1) expect(overRate('a', 60)).toBe(0);
    expect(overRate('a', 60)).toBe(1);
    expect(overRate('b', 60)).toBe(0);
    now = 1_000;
    expect(overRate('a', 60)).toBe(0);
    expect(overRate('a', 60)).toBe(1);
  });

  it('never lets more through than the rate allows, and whoever waits as told gets in', () => {
    const steps = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), steps, (perMinute, waits) => {
        let now = 0;
        let letIn = 0;
        const overRate = createRateLimit(() => now);
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
    const overRate = createRateLimit(() => now);
    expect(overRate('a', 1)).toBe(0);
    expect(overRate('a', 1)).toBe(60);
    expect(overRate('a', 2)).toBe(0);
    expect(overRate('a', 2)).toBe(0);
    now = 0;
    expect(overRate('a', 2)).toBe(30);
  });

  it('forgets keys that have not asked for a while, and no other', () => {
    let now = 0;
    const overRate = createRateLimit(() => now);
    overRate('spent', 1);
    for (let i = 0; i < 10_000; i += 1) overRate(`key ${i}`, 1_000_000);
    now = 1_000;
    overRate('one more', 1);
    expect(overRate('spent', 1)).toBe(59);
  });
});
