import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecentKeys } from '../../../../adapters/postgres/vault/keys.ts';

const found = () => ({ key: new Uint8Array(32), wrapped: new Uint8Array(60) });

describe('data keys that were in use', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are known for ten seconds after they were last kept, and never after they are dropped', () => {
    const keys = createRecentKeys();
    const [first, again] = [found(), found()];
    keys.put('t', 'a', first);
    vi.advanceTimersByTime(9_000);
    expect(keys.get('t', 'a')).toBe(first);
    expect(keys.get('other', 'a')).toBeUndefined();
    keys.put('t', 'a', again);
    vi.advanceTimersByTime(9_000);
    expect(keys.get('t', 'a')).toBe(again);
    vi.advanceTimersByTime(1_000);
    expect(keys.get('t', 'a')).toBeUndefined();
    keys.put('t', 'a', first);
    keys.drop('t', 'a');
    expect(keys.get('t', 'a')).toBeUndefined();
  });
});
