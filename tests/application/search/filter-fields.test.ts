import type { Catalog, CatalogScope } from '../../../application/ports/catalog.ts';
import {
  type RetrievalFilter,
  filterFrom,
  readFilter,
} from '../../../application/search/retrieval-filter.ts';
import { describe, expect, it } from 'vitest';

const NO_TAGS = { names: [], ids: [], logic: 'OR' };

describe('the fields that callers filter by', () => {
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

const SCOPE: CatalogScope = { tenant: 't', only: null, access: null };

const is = (key: string, val: unknown) => ({ filters: [{ key, operator: 'eq', val }] });

/** Years are integers on sources and strings on chunks; notes what it is asked. */
const open = () => {
  const asked: unknown[] = [];
  const metadataTypes: Catalog['metadataTypes'] = async (_, of, keys) => {
    asked.push([of, keys]);
    return new Map([['year', [of === 'source' ? 'integer' : 'string'] as const]]);
  };
  return { asked, read: (filter: RetrievalFilter) => readFilter({ metadataTypes }, SCOPE, filter) };
};

describe('the filter of a search', () => {
  it('reads each filter object with the types of what it is about, and asks for them once', async () => {
    const { read, asked } = open();
    const { sourceMetadata, chunkMetadata, ...fixed } = await read({
      fileTypes: ['pdf'],
      onSources: [
        { name: 'a', raw: is('year', 2025) },
        { name: 'b', raw: is('author', 'x') },
      ],
      onChunks: [{ name: 'c', raw: is('year', '2025') }],
    });
    expect(fixed).toEqual({ fileTypes: ['pdf'] });
    expect(sourceMetadata?.flatMap(({ parts }) => parts)).toMatchObject([
      { key: 'year', operand: { as: 'number', value: 2025 } },
      { key: 'author', operand: { as: 'text', value: 'x' } },
    ]);
    expect(chunkMetadata?.flatMap(({ parts }) => parts)).toMatchObject([
      { key: 'year', operand: { as: 'text', value: '2025' } },
    ]);
    expect(asked).toEqual([
      ['source', ['year', 'author']],
      ['chunk', ['year']],
    ]);
  });

  it.each([
    [{ onSources: [{ name: 'metadata', raw: 'x' }] }, 'metadata: must be an object'],
    [
      {
        onSources: [
          { name: 'metadata', raw: {} },
          { name: 'source_metadata', raw: { filters: 1 } },
        ],
        onChunks: [{ name: 'chunk_metadata', raw: 'x' }],
      },
      'source_metadata.filters: must be an array',
    ],
    [
      { onChunks: [{ name: 'metadata_filter', raw: { logic: 'XOR' } }] },
      'metadata_filter: logic must be AND or OR',
    ],
  ])(
    'that says nothing sensible is refused under the name that the caller used: %j',
    async (filter, message) => {
      await expect(open().read(filter)).rejects.toMatchObject({ code: 'filter_invalid', message });
    },
  );

  it('asks nothing of tags where it names none', async () => {
    const none = { names: [], ids: [], logic: 'OR' } as const;
    expect(await open().read({ tags: none })).not.toHaveProperty('tags');
    const some = { ...none, ids: ['t1'] };
    expect(await open().read({ tags: some })).toMatchObject({ tags: some });
  });
});
