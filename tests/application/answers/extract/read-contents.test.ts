import { describe, expect, it } from 'vitest';
import type { ExtractFrom } from '../../../../application/answers/extract/extraction.ts';
import { readContents } from '../../../../application/answers/extract/read-contents.ts';
import { CALLER, contentOf } from '../../../support/completions.ts';

const ids = [contentOf(1).id, contentOf(2).id];
const FROM: readonly ExtractFrom[] = [
  { kind: 'contents', ids },
  { kind: 'sources', ids },
  { kind: 'search', query: 'facts', limit: 2, usePostfilter: false, filter: {} },
];

describe('what is read for an extraction', () => {
  it.each(FROM)('is asked for on behalf of the principal, whatever names it: $kind', async (from) => {
    const behalves: unknown[] = [];
    const found = { queryId: 'q', totalCandidates: 0, mode: 'keyword', reranked: false } as const;
    const deps: Parameters<typeof readContents>[0] = {
      search: async (_caller, _search, behalf) => {
        behalves.push(behalf);
        return { ...found, results: [] };
      },
      sources: {
        content: async (_caller, _id, behalf) => {
          behalves.push(behalf);
          return contentOf(1);
        },
        contents: async (_caller, _id, _page, behalf) => {
          behalves.push(behalf);
          return { rows: [], hasMore: false, total: 0 };
        },
      },
    };
    const asked = { authzPolicy: 'mine', principalId: 'jo' };
    await readContents(deps, CALLER, { from, onBehalfOf: asked });
    expect(behalves).toEqual(from.kind === 'search' ? [asked] : [asked, asked]);
  });
});
