import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../adapters/crawler/page-fetcher.ts';
import { retryAfterMs } from '../../../adapters/crawler/page-outcome.ts';
import type { PageFailed } from '../../../application/ports/page-fetcher.ts';
import { failedWith, page } from './fake-pages.ts';

const POLICY = { tries: 3, firstDelayMs: 1000, maxDelayMs: 10_000 };
const failure = { ...(failedWith('https://example.com/', 503) as PageFailed), transient: true };

describe('retryDelay', () => {
  it('doubles, and spreads over the upper half', () => {
    expect([1, 2].map((tried) => retryDelay(POLICY, failure, tried, 0))).toEqual([500, 1000]);
    expect([1, 2].map((tried) => retryDelay(POLICY, failure, tried, 0.999))).toEqual([999.5, 1999]);
  });

  it('is bounded', () => {
    expect(retryDelay({ ...POLICY, tries: 99 }, failure, 50, 0)).toBe(10_000);
  });

  it('ends after the last try', () => {
    expect(retryDelay(POLICY, failure, 3, 0)).toBeNull();
  });

  it('gives no second try to what will not pass, or has used its time, or succeeded', () => {
    const spent = (code: PageFailed['code']) => retryDelay(POLICY, { ...failure, code }, 1, 0);
    expect(spent('timed_out')).toBeNull();
    expect(spent('too_slow')).toBeNull();
    expect(retryDelay(POLICY, { ...failure, transient: false }, 1, 0)).toBeNull();
    expect(retryDelay(POLICY, page('https://example.com/', ''), 1, 0)).toBeNull();
  });

  it('waits at least for Retry-After, and not at all where that is too long', () => {
    expect(retryDelay(POLICY, { ...failure, retryAfterMs: 4000 }, 1, 0)).toBe(4000);
    expect(retryDelay(POLICY, { ...failure, retryAfterMs: 10 }, 1, 0)).toBe(500);
    expect(retryDelay(POLICY, { ...failure, retryAfterMs: 10_001 }, 1, 0)).toBeNull();
  });
});

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5 days', null],
    [null, null],
  ])('reads %j as %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
