import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import type { Catalog, CatalogScope } from '../../../application/ports/catalog.ts';
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
    const again = await policies.at('acme', 'content');
    expect(again.rules).toEqual([email]);
    // What is as before is not compiled again.
    policies.forget();
    expect(await policies.at('acme', 'content')).toBe(again);
    expect(world.reads).toBe(4);
    world.now = 3_000;
    expect(await policies.at('acme', 'content')).toBe(again);
    expect(world.reads).toBe(5);
  });

  it('are known of a thousand at the same time', async () => {
    const { world, policies } = setUp();
    const ask = (n: number) => policies.at(`tenant ${n}`, 'content');
    for (let n = 0; n < 1_000; n += 1) await ask(n);
    await ask(0);
    expect(world.reads).toBe(1_000);
    await ask(1_000);
    await ask(1_000);
    expect(world.reads).toBe(1_001);
    await ask(0);
    expect(world.reads).toBe(1_002);
  });

  it('that were read before they changed are not used after, and each question is one', async () => {
    const answers: PromiseWithResolvers<readonly RedactionRule[]>[] = [];
    const rulesFor: RedactionPolicyView['rulesFor'] = () => {
      answers.push(Promise.withResolvers<readonly RedactionRule[]>());
      return answers.at(-1)!.promise;
    };
    let now = 0;
    const view = { rulesFor } as RedactionPolicyView;
    const policies = createPoliciesInForce({ view, patterns: textPatterns, clock: { now: () => now } });
    const ask = () => policies.at('acme', 'content');
    const early = ask();
    now = 1_000;
    const late = ask();
    answers[0]!.resolve([email]);
    await early;
    // The later question is still under way, and shared.
    const third = ask();
    expect(answers).toHaveLength(2);
    policies.forget();
    answers[1]!.resolve([email]);
    expect(await third).toBe(await late);
    const after = ask();
    expect(answers).toHaveLength(3);
    answers[2]!.resolve([]);
    expect((await after).rules).toEqual([]);
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
    await policies.at('acme', 'content');
    await policies.at('acme', 'ingestion');
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
