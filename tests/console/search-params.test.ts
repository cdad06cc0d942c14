import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '../../console/src/ui/search-params.ts';

const TEXTS = [
  'failed',
  'failure,delete_job_failure',
  '1',
  '00000000000000123456789',
  'true',
  'null',
  '"an exact phrase"',
  '"2024"',
  '"',
  '{"/data/job_id":"a","/data/n":1}',
  '2026-05-31T09:30:00.000Z',
  'ä & b=c?d#e%2C+f',
];

describe('the search part of an address', () => {
  it('is plain', () => {
    const search = { status: 'failure,canceled', live: '1', from: '2026-05-31T09:30:00.000Z', at: undefined };
    expect(stringifySearch(search)).toBe('?status=failure,canceled&live=1&from=2026-05-31T09:30:00.000Z');
    expect(stringifySearch({ where: '{"/id":"a"}' })).toBe('?where=%7B%22/id%22:%22a%22%7D');
    expect(stringifySearch({})).toBe('');
  });

  it.each(TEXTS)('gives %j back', (q) => {
    expect(parseSearch(stringifySearch({ q }))).toEqual({ q });
  });

  it.each([
    ['?live=%221%22', { live: '1' }],
    ['?event=%22123456789012345678901%22&category=tag', { event: '123456789012345678901', category: 'tag' }],
    ['?where=%22%7B%5C%22%2Fid%5C%22%3A%5C%22a%5C%22%7D%22', { where: '{"/id":"a"}' }],
    ['?q=%22%5C%22an%20exact%20phrase%5C%22%22', { q: '"an exact phrase"' }],
  ])('is read as ever from the link %s of an earlier version', (search, asked) => {
    expect(parseSearch(search)).toEqual(asked);
  });
});
