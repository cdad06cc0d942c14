import { describe, expect, it } from 'vitest';
import { filterOf } from '../../../adapters/http/routes/search.ts';

const filter = (val: string) => ({ filters: [{ key: 'k', operator: 'eq' as const, val }] });
const NO_TAGS = { names: [], ids: [], logic: 'OR' };

describe('the names that a request has for its filters', () => {
  it('stay behind as what errors call them: two for sources and two for chunks, in their order', () => {
    const body = {
      metadata_filter: filter('four'),
      chunk_metadata: filter('three'),
      source_metadata: filter('two'),
      metadata: filter('one'),
    };
    expect(filterOf(body)).toEqual({
      tags: NO_TAGS,
      onSources: [
        { name: 'metadata', raw: filter('one') },
        { name: 'source_metadata', raw: filter('two') },
      ],
      onChunks: [
        { name: 'chunk_metadata', raw: filter('three') },
        { name: 'metadata_filter', raw: filter('four') },
      ],
    });
  });

  it('are not handed over where they are not used', () => {
    expect(filterOf({})).toStrictEqual({ tags: NO_TAGS });
    expect(filterOf({ chunk_metadata: {} })).toStrictEqual({
      tags: NO_TAGS,
      onChunks: [{ name: 'chunk_metadata', raw: {} }],
    });
  });
});
