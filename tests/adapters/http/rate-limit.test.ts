import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimit, rateLimitHeaders } from '../../../adapters/http/rate-limit.ts';

describe('the rate of a key', () => {
  it('lets a minute of requests through at once, then one at a time', () => {
    let now = 0;
    const limit = createRateLimit(() => now);
    const overRate = (key: string, most: number) => limit(key, most).wait;
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

  it('tells what is left, and when there is more', () => {
    let now = 0;
    const limit = createRateLimit(() => now);
    expect(limit('a', 4)).toEqual({ wait: 0, remaining: 3, more: 15 });
    now = 5_000;
    expect(limit('a', 4)).toEqual({ wait: 0, remaining: 2, more: 10 });
    expect([limit('a', 4), limit('a', 4)].map(({ remaining }) => remaining)).toEqual([1, 0]);
    now = 6_000;
    const refused = limit('a', 4);
    expect(refused).toEqual({ wait: 9, remaining: 0, more: 9 });
    expect(rateLimitHeaders(4, refused)).toEqual([
      ['ratelimit-policy', '"key";q=4;w=60'],
      ['ratelimit', '"key";r=0;t=9'],
    ]);
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
