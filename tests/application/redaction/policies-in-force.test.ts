import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../adapters/patterns/text-patterns.ts';
import type { Catalog } from '../../../application/ports/catalog.ts';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { RedactionPolicyView } from '../../../application/ports/redaction-policy-view.ts';
import { createPoliciesInForce } from '../../../application/redaction/policies-in-force.ts';
import { createRedactedCatalog } from '../../../application/redaction/redacted-catalog.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';

const email: RedactionRule = { name: 'email', kind: 'email' };

const setUp = () => {
  const world = { now: 0, reads: 0, rules: [email] as readonly RedactionRule[], away: false };
  const rulesFor: RedactionPolicyView['rulesFor'] = async () => {
    world.reads += 1;
    if (world.away) throw new Error('the database is away');
    return world.rules;
  };
  const view = { rulesFor } as RedactionPolicyView;
  const policies = createPoliciesInForce({ view, patterns: textPatterns, clock: { now: () => world.now } });
  return { world, policies };
};

describe('the policies in force', () => {
  it('are read again after a second, and as soon as their view has moved', async () => {
    const { world, policies } = setUp();
    const first = await policies.at('acme', 'content');
    world.now = 999;
    expect(await policies.at('acme', 'content')).toBe(first);
    expect(world.reads).toBe(1);
    world.rules = [];
    policies.forget();
    expect((await policies.at('acme', 'content')).rules).toEqual([]);
    world.rules = [email];
    world.now = 2_000;
    expect((await policies.at('acme', 'content')).rules).toEqual([email]);
  });

  it('are read once for all who ask at the same time, but not for whoever asks too late, or after a change', async () => {
    const { world, policies } = setUp();
    const ask = () => policies.at('acme', 'content');
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([world.reads, second]).toEqual([1, first]);
    world.now = 5_000;
    const early = ask();
    world.now = 6_000;
    const late = ask();
    world.rules = [];
    policies.forget();
    const after = ask();
    expect([(await early).rules, (await late).rules, (await after).rules]).toEqual([[email], [email], []]);
    expect(world.reads).toBe(4);
  });

  it('are of one tenant and one stage', async () => {
    const { world, policies } = setUp();
    await policies.at('acme', 'content');
    await policies.at('acme', 'ingestion');
    await policies.at('other', 'content');
    expect(world.reads).toBe(3);
  });

  it('fail where they cannot be read, and with them every read of the catalog', async () => {
    const { world, policies } = setUp();
    world.away = true;
    await expect(policies.at('acme', 'ingestion')).rejects.toThrow('away');
    const content = { text: 'a@b.example', title: '', keywords: [] };
    const inner = { getContent: async () => content } as unknown as Catalog;
    const catalog = createRedactedCatalog(inner, policies);
    const scope = { tenant: 'acme' } as CatalogScope;
    await expect(catalog.getContent(scope, 'id')).rejects.toThrow('away');
    world.away = false;
    expect(await catalog.getContent(scope, 'id')).toMatchObject({ text: '[email]' });
  });
});
