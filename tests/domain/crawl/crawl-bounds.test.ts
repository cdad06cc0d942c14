import { describe, expect, it } from 'vitest';
import { mostAdmitted, mostVisits } from '../../../domain/crawl/crawl-scope.ts';

describe('the bounds of a crawl', () => {
  it('are a thousand pages and twenty for each document, and ten links for each page', () => {
    expect([0, 1, 100].map(mostVisits)).toEqual([1_000, 1_020, 3_000]);
    expect([0, 1, 100].map(mostAdmitted)).toEqual([10_000, 10_200, 30_000]);
  });
});
