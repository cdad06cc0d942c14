import { expect, it } from 'vitest';
import { filterAsWritten } from '../../../application/search/retrieval-filter.ts';

it('the filter of a request is kept under the names that callers use', () => {
  const [team, page] = [{ filters: [{ key: 'team' }] }, { filters: [{ key: 'page' }] }];
  const filter = {
    domains: ['example.com'],
    onSources: [
      { name: 'metadata', raw: team },
      { name: 'source_metadata', raw: page },
    ],
    onChunks: [{ name: 'metadata_filter', raw: page }],
  };
  expect(filterAsWritten(filter)).toEqual({
    domains: ['example.com'],
    metadata: team,
    source_metadata: page,
    metadata_filter: page,
  });
  expect(Object.keys(filterAsWritten({ domains: ['example.com'] }))).toEqual(['domains']);
});
