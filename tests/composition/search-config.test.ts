import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../composition/config.ts';
import { readSearch, searchMemoryMb, searchThreads } from '../../composition/search-config.ts';

const GIB = 1_024 ** 3;

describe('memory for the index of searches', () => {
  it('is an eighth of the machine, or of the container where that has less', () => {
    expect(searchMemoryMb(16 * GIB, 0)).toBe(2_048);
    expect(searchMemoryMb(16 * GIB, 4 * GIB)).toBe(512);
    expect(searchMemoryMb(16 * GIB, 2 ** 63)).toBe(2_048);
  });

  it('is neither too little for a small catalog, nor all that a large machine has', () => {
    expect(searchMemoryMb(GIB, 0)).toBe(256);
    expect(searchMemoryMb(512 * GIB, 0)).toBe(8_192);
  });

  it('may be set', () => {
    expect(readSearch({ KNOWLEDGER_SEARCH_MEMORY_MB: '100' }).memoryBytes).toBe(100 * 1_024 ** 2);
    expect(() => readSearch({ KNOWLEDGER_SEARCH_MEMORY_MB: '15' })).toThrow(ConfigError);
    expect(readSearch({}).memoryBytes).toBeGreaterThanOrEqual(256 * 1_024 ** 2);
  });
});

describe('threads that search', () => {
  it('are one less than processors, and at most four', () => {
    expect([1, 2, 3, 5, 64].map((processors) => searchThreads(processors, 8_192))).toEqual([0, 1, 2, 4, 4]);
  });

  it('are as many as there is memory for', () => {
    expect([100, 256, 600, 1_024].map((memory) => searchThreads(8, memory))).toEqual([0, 1, 2, 4]);
  });

  it('may be set, or left out', () => {
    expect(readSearch({ KNOWLEDGER_SEARCH_THREADS: '7' }).threads).toBe(7);
    expect(readSearch({ KNOWLEDGER_SEARCH_THREADS: '0' }).threads).toBe(0);
    expect(() => readSearch({ KNOWLEDGER_SEARCH_THREADS: '65' })).toThrow(ConfigError);
    expect(readSearch({ KNOWLEDGER_SEARCH_MEMORY_MB: '100' }).threads).toBe(0);
  });
});
