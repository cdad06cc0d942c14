import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../adapters/patterns/text-patterns.ts';
import type { Catalog } from '../../../application/ports/catalog.ts';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { ContentRecord } from '../../../application/ports/contents.ts';
import type { PoliciesInForce } from '../../../application/redaction/policies-in-force.ts';
import { createRedactedCatalog } from '../../../application/redaction/redacted-catalog.ts';
import { compileRules } from '../../../application/redaction/redactor.ts';
import { createRetrieve } from '../../../application/retrieval/retrieve.ts';
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
