import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import type { Catalog, ContentRecord, CatalogScope } from '../../../application/ports/catalog.ts';
import type { PoliciesInForce } from '../../../application/redaction/policies-in-force.ts';
import { createRedactedCatalog } from '../../../application/redaction/redacted-catalog.ts';
import { compileRules } from '../../../application/redaction/redactor.ts';
import { createRetrieve } from '../../../application/search/retrieve.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';

const SCOPE: CatalogScope = { tenant: 'acme', only: null, access: null };
const rules: readonly RedactionRule[] = [{ name: 'email', kind: 'email' }];
const content = {
  id: 'c1',
  text: 'write to a@b.example',
  title: 'a@b.example',
  keywords: ['a@b.example', 'mail'],
} as unknown as ContentRecord;
const catalog = { contentsById: async () => [content] } as unknown as Catalog;
const index = {
  rank: async () => ({ ranked: [{ contentId: 'c1', score: 1 }], floor: 0, totalCandidates: 1 }),
};
const searchUnder = (policies: PoliciesInForce) => {
  const contents = createRedactedCatalog(catalog, policies);
  const retrieve = createRetrieve({ searchIndex: index, vectorIndex: index, contents });
  return retrieve(SCOPE, { query: 'mail', filter: {}, limit: 5 });
};

describe('a search in the redacted catalog', () => {
  it('shows texts, titles and keywords as the policies for contents let them be read', async () => {
    const stages: string[] = [];
    const compiled = compileRules(rules, textPatterns);
    const at: PoliciesInForce['at'] = async (tenant, stage) => {
      stages.push(`${tenant} ${stage}`);
      return { rules, compiled };
    };
    const { results } = await searchUnder({ at, forget: () => {} });
    expect(results.map((hit) => hit.content)).toEqual([
      { id: 'c1', text: 'write to [email]', title: '[email]', keywords: ['mail'] },
    ]);
    expect(stages).toEqual(['acme content']);
  });

  it('fails where the policies cannot be read', async () => {
    const at = async () => {
      throw new Error('the database is away');
    };
    await expect(searchUnder({ at, forget: () => {} })).rejects.toThrow('the database is away');
  });
});

describe('what is read of the redacted catalog', () => {
  const source = { id: 's1', title: 'to a@b.example', url: 'https://b.example/a@b.example' };
  const page = { hasMore: true, total: 7 };
  const inner = (isThere: boolean): Catalog =>
    ({
      metadataTypes: async () => new Map([['year', ['integer']]]),
      query: async () => ({ ...page, rows: [content] }),
      getContent: async () => (isThere ? content : null),
      contentsById: async () => [content],
      getSource: async () => (isThere ? source : null),
      listSources: async () => ({ ...page, rows: [source] }),
      contentsOfSource: async () => (isThere ? { ...page, rows: [content] } : null),
    }) as unknown as Catalog;
  const reading = (isThere: boolean, given: readonly RedactionRule[] = rules) => {
    const compiled = compileRules(given, textPatterns);
    const at: PoliciesInForce['at'] = async () => ({ rules: given, compiled });
    const redacted = createRedactedCatalog(inner(isThere), { at, forget: () => {} });
    const limits = { limit: 5 };
    return Promise.all([
      redacted.query(SCOPE, { filter: {}, sort: 'title', page: limits }),
      redacted.getContent(SCOPE, 'c1'),
      redacted.contentsById(SCOPE, ['c1']),
      redacted.getSource(SCOPE, 's1'),
      redacted.listSources(SCOPE, {}, limits),
      redacted.contentsOfSource(SCOPE, 's1', limits),
      redacted.metadataTypes(SCOPE, 'source', ['year']),
    ]);
  };
  const types = new Map([['year', ['integer']]]);

  it('is hidden whatever way it is read, but for addresses', async () => {
    const shown = { id: 'c1', text: 'write to [email]', title: '[email]', keywords: ['mail'] };
    const named = { ...source, title: 'to [email]' };
    const contents = { ...page, rows: [shown] };
    const sources = { ...page, rows: [named] };
    expect(await reading(true)).toEqual([contents, shown, [shown], named, sources, contents, types]);
  });

  it('is as it is where no policy applies, and nothing where there is nothing', async () => {
    const contents = { ...page, rows: [content] };
    const sources = { ...page, rows: [source] };
    expect(await reading(true, [])).toEqual([contents, content, [content], source, sources, contents, types]);
    expect(await reading(false)).toMatchObject([{}, null, {}, null, {}, null, types]);
  });
});
