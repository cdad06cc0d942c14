import { describe, expect, it } from 'vitest';
import { EVEN, legWeights } from '../../../domain/ranking/fuse.ts';

describe('the weights of the legs', () => {
  it.each([
    'max_wal_size',
    '"max_wal_size"',
    ' std::move ',
    'getUserById',
    'pg_dump --jobs',
    'E-1042  a.b.c',
  ])('are those of names for a query of nothing but identifiers: %s', (query) => {
    const { keyword, vector } = legWeights(query);
    expect(keyword).toBe(1);
    expect(vector).toBeGreaterThan(0);
    expect(vector).toBeLessThan(0.2);
  });

  it.each(['', 'port', 'create table', 'What does work_mem control?', 'max_wal_size default', '最大サイズ'])(
    'are even for any other: %s',
    (query) => {
      expect(legWeights(query)).toBe(EVEN);
    },
  );
});
