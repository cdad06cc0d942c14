import { describe, expect, it } from 'vitest';
import { filterFrom } from '../../../application/search/filter-fields.ts';

const NO_TAGS = { names: [], ids: [], logic: 'OR' };

describe('the fields that callers filter by', () => {
  it('are a filter that asks nothing where none is given', () => {
    for (const fields of [
      {},
      { tags: undefined, fileTypes: undefined, sourceGroupIds: undefined, dateFrom: undefined },
      { onSources: { metadata: undefined }, onChunks: {} },
    ]) {
      const filter = filterFrom(fields);
      expect(filter).toEqual({ tags: NO_TAGS });
      expect(Object.keys(filter)).toEqual(['tags']);
    }
  });

  it('go into the filter as they are, ids of groups in small letters', () => {
    expect(
      filterFrom({
        tags: ['a'],
        tagIds: ['Id'],
        tagFilterLogic: 'AND',
        sourceGroupIds: ['0199D2A0-AB', 'x'],
        fileTypes: ['pdf'],
        dateFrom: 0,
      }),
    ).toEqual({
      tags: { names: ['a'], ids: ['Id'], logic: 'AND' },
      sourceGroupIds: ['0199d2a0-ab', 'x'],
      fileTypes: ['pdf'],
      dateFrom: 0,
    });
  });

  it('keep filter objects apart under the names that the caller gave them', () => {
    expect(
      filterFrom({ onSources: { metadata: { a: 1 }, other: undefined }, onChunks: { chunk: null, b: 2 } }),
    ).toEqual({
      tags: NO_TAGS,
      onSources: [{ name: 'metadata', raw: { a: 1 } }],
      onChunks: [
        { name: 'chunk', raw: null },
        { name: 'b', raw: 2 },
      ],
    });
  });

  it.each([
    [5, 5],
    [5, 6],
    [6, undefined],
    [undefined, 5],
  ])('take dates from %s to %s', (dateFrom, dateTo) => {
    expect(filterFrom({ dateFrom, dateTo })).toEqual({ tags: NO_TAGS, dateFrom, dateTo });
  });
});
