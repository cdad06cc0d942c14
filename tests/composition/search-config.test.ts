import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../composition/config.ts';
import { readSearch, searchMemoryMb } from '../../composition/search-config.ts';

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
    expect(readSearch({ KNOWLEDGER_SEARCH_MEMORY_MB: '100' })).toEqual({ memoryBytes: 100 * 1_024 ** 2 });
    expect(() => readSearch({ KNOWLEDGER_SEARCH_MEMORY_MB: '15' })).toThrow(ConfigError);
    expect(readSearch({}).memoryBytes).toBeGreaterThanOrEqual(256 * 1_024 ** 2);
  });
});
