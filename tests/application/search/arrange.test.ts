import { describe, expect, it } from 'vitest';
import { arranged, depthOf } from '../../../application/search/arrange.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { parseQuery } from '../../../domain/ranking/query-syntax.ts';

const hit = (text: string, sourceId: string): SearchHit => ({
  content: { title: 'A title', text, sourceId } as SearchHit['content'],
  score: 1,
  ranks: {},
});
const HITS = [hit('one', 'a'), hit('two', 'a'), hit('three', 'a'), hit('four', 'b'), hit('ONE', 'c')];

describe('a list of hits', () => {
  const shown = (query: string | null, collapse: 'source' | 'none', limit = 10): string =>
    arranged(HITS, { typed: query === null ? null : parseQuery(query), collapse, limit })
      .map(({ content }) => content.text)
      .join(' ');

  it('is of pages where that is asked, and else as it was ranked', () => {
    expect(shown(null, 'none')).toBe('one two three four ONE');
    expect(shown(null, 'source')).toBe('one two four three');
    expect(shown(null, 'source', 3)).toBe('one two four');
  });

  it('has what is quoted, in title or text, and nothing that is excluded', () => {
    expect(shown('"three"', 'none')).toBe('three');
    expect(shown('"a title" -two', 'source')).toBe('one three four');
    expect(shown('all -"a title"', 'none')).toBe('');
  });

  it('is made of more than it shows', () => {
    const depth = (query: string, collapse: 'source' | 'none', limit: number) =>
      depthOf({ typed: parseQuery(query), collapse, limit });
    expect(depth('words', 'none', 20)).toBe(20);
    expect(depth('words', 'source', 20)).toBe(50);
    expect(depth('words', 'source', 1_000)).toBe(1_000);
    expect(depth('"words"', 'none', 20)).toBe(1_000);
    expect(depth('one -two', 'none', 20)).toBe(1_000);
  });
});
