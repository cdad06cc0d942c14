import { sha256 } from '../../../adapters/system/identity.ts';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import type { Caller } from '../../../application/access/caller.ts';
import { derivedId, idempotencyStream } from '../../../application/event-sourcing/streams.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import type { Catalog, CatalogScope, ContentRecord } from '../../../application/ports/catalog.ts';
import type {
  RedactionPolicyRow,
  RedactionPolicyView,
} from '../../../application/ports/redaction-policy-view.ts';
import { createRedactTextFor } from '../../../application/redaction/redact-text.ts';
import { createRedactionPolicyOperations } from '../../../application/redaction/operations.ts';
import {
  type PoliciesInForce,
  createPoliciesInForce,
} from '../../../application/redaction/policies-in-force.ts';
import { createRedactedCatalog } from '../../../application/redaction/redacted-catalog.ts';
import { compileRules } from '../../../application/redaction/redactor.ts';
import { createRetrieve } from '../../../application/search/retrieve.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import { NOW, callerOf, noOverlay } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { describe, expect, it } from 'vitest';

const caller = callerOf('acme');

const EMAIL: RedactionRule = { name: 'email', kind: 'email' };

const REQUEST = { name: 'Mail', rules: [EMAIL], appliesTo: ['content'] } as const;

const BROKEN = { ...REQUEST, rules: [{ name: 'x', kind: 'pattern', pattern: '(' }] } as const;

const notFound = { code: 'not_found', message: 'there is no such redaction policy' };

describe('a redaction policy', () => {
  /** Operations over a view that knows these rows, and what is put in force by them. */
  const setUp = (rows: readonly RedactionPolicyRow[] = [], total = rows.length) => {
    const store = createMemoryEventStore(() => NOW);
    const ids = countingIds();
    const inForce: unknown[] = [];
    const listed: unknown[] = [];
    const operations = createRedactionPolicyOperations({
      execute: createExecute({ store, codec: createEventCodec(), ids }),
      ids,
      hash: sha256,
      clock: { now: () => NOW },
      patterns: textPatterns,
      view: {
        get: async (tenant, id) => rows.find((row) => row.tenant === tenant && row.id === id) ?? null,
        list: async (...of) => {
          listed.push(of);
          return { rows, hasMore: false, total };
        },
        rulesFor: async () => [],
      },
      overlay: {
        ...noOverlay,
        put: async (view, { id, tenant, revision }, position) =>
          void inForce.push([view, id, tenant, revision, position]),
      },
      clearCache: () => void inForce.push('forget'),
    });
    return { operations, inForce, listed, store };
  };

  it('is in force here before it is answered, as it was asked for', async () => {
    const { operations, inForce, store } = setUp();
    const { record, position, changed } = await operations.create(caller, REQUEST, undefined);
    expect(record).toEqual({
      ...REQUEST,
      id: record.id,
      tenant: 'acme',
      createdAt: NOW,
      changedAt: NOW,
      deleted: false,
      revision: 0n,
    });
    expect([changed, position]).toEqual([true, await store.head()]);
    expect(inForce).toEqual([['redaction_policy', record.id, 'acme', 0n, position], 'forget']);
  });

  it('is answered as it first was when the request is repeated, whatever has become of it', async () => {
    const { operations, inForce, store } = setUp();
    const first = await operations.create(caller, REQUEST, 'key');
    await operations.change(caller, first.record.id, { ...REQUEST, name: 'Other' });
    const again = await operations.create(caller, REQUEST, 'key');
    expect(again).toMatchObject({ record: first.record, changed: false, replayed: true });
    expect(inForce.filter((one) => one === 'forget')).toHaveLength(3);
    // A key that was used is found by later versions, too.
    const claim = derivedId(sha256, 'idempotency', 'acme', 'createRedactionPolicy', 'key');
    expect(await store.readStream(idempotencyStream(claim))).not.toEqual([]);
    const other = operations.create(caller, { ...REQUEST, name: 'Third' }, 'key');
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('is one of a hundred at the most, and one that is there is answered all the same', async () => {
    const { operations, listed } = setUp([], 99);
    await operations.create(caller, REQUEST, 'key');
    expect(listed).toEqual([['acme', { limit: 1 }]]);
    await operations.create(caller, REQUEST, 'key');
    expect(listed).toHaveLength(1);
    await expect(setUp([], 100).operations.create(caller, REQUEST, undefined)).rejects.toMatchObject({
      code: 'conflict',
      message: 'there are 100 policies already',
    });
  });

  it('is changed as a whole, and says whether that changed anything', async () => {
    const { operations, inForce } = setUp();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    inForce.length = 0;
    const changed = await operations.change(caller, id, { ...REQUEST, name: 'Other' });
    expect(changed).toMatchObject({ changed: true, record: { id, name: 'Other', revision: 1n } });
    expect(inForce).toEqual([['redaction_policy', id, 'acme', 1n, changed.position], 'forget']);
    const same = await operations.change(caller, id, { ...REQUEST, name: 'Other' });
    expect(same).toMatchObject({ changed: false, record: { name: 'Other' } });
  });

  it('that is deleted is not there any more', async () => {
    const { operations, inForce } = setUp();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    inForce.length = 0;
    const { record, position, changed } = await operations.remove(caller, id);
    expect([record, changed]).toEqual([id, true]);
    expect(inForce).toEqual([['redaction_policy', id, 'acme', 1n, position], 'forget']);
    for (const work of [operations.remove(caller, id), operations.change(caller, id, REQUEST)])
      await expect(work).rejects.toMatchObject(notFound);
    await expect(operations.remove(callerOf('other'), id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is read from its view, and tried on a text of which nothing is kept', async () => {
    const row: RedactionPolicyRow = {
      ...REQUEST,
      id: 'p1',
      tenant: 'acme',
      createdAt: NOW,
      changedAt: NOW,
      deleted: false,
      revision: 0n,
    };
    const { operations, store, listed } = setUp([row]);
    expect(await operations.get(caller, 'p1')).toBe(row);
    expect(await operations.list(caller, { limit: 7 })).toMatchObject({ rows: [row] });
    expect(listed).toEqual([['acme', { limit: 7 }]]);
    expect(await operations.test(caller, 'p1', 'to a@b.example')).toEqual({
      text: 'to [email]',
      findings: [{ rule: 'email', kind: 'email', start: 3, end: 14 }],
    });
    expect(
      await operations.testRules(caller, [{ name: 'bird', kind: 'pattern', pattern: 'her.n' }], 'a heron'),
    ).toEqual({
      text: 'a [bird]',
      findings: [{ rule: 'bird', kind: 'pattern', start: 2, end: 7 }],
    });
    expect(await store.head()).toBe('');
    for (const by of [callerOf('other'), caller])
      await expect(operations.get(by, by === caller ? 'p2' : 'p1')).rejects.toMatchObject(notFound);
  });

  it('is nothing for a key that is restricted, and takes no rule that cannot be applied', async () => {
    const { operations, store } = setUp();
    const restricted: Caller = callerOf('acme', ['g1']);
    const refused = {
      code: 'key_restricted',
      message: expect.stringMatching(/^a redaction policy needs/) as string,
    };
    for (const work of [
      operations.create(restricted, REQUEST, undefined),
      operations.change(restricted, 'p1', REQUEST),
      operations.remove(restricted, 'p1'),
      operations.get(restricted, 'p1'),
      operations.list(restricted, { limit: 1 }),
      operations.test(restricted, 'p1', 'x'),
      operations.testRules(restricted, REQUEST.rules, 'x'),
    ])
      await expect(work).rejects.toMatchObject(refused);
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    const before = await store.head();
    for (const request of [BROKEN, { ...REQUEST, rules: [] }]) {
      await expect(operations.create(caller, request, 'other')).rejects.toMatchObject({
        name: 'DomainError',
      });
      await expect(operations.change(caller, id, request)).rejects.toMatchObject({ name: 'DomainError' });
      await expect(operations.testRules(caller, request.rules, 'x')).rejects.toMatchObject({
        name: 'DomainError',
      });
    }
    expect(await store.head()).toBe(before);
  });
});

it('a text of a tenant is hidden by its policies for contents', async () => {
  const asked: unknown[] = [];
  const redactTextFor = createRedactTextFor({
    at: async (...of) => {
      asked.push(of);
      return { rules: [EMAIL], compiled: compileRules([EMAIL], textPatterns) };
    },
    clearCache: () => {},
  });
  expect((await redactTextFor('acme'))('to a@b.example')).toBe('to [email]');
  expect(asked).toEqual([['acme', 'content']]);
});

const email: RedactionRule = { name: 'email', kind: 'email' };

describe('the policies in force', () => {
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

  it('are read again after a second, and as soon as their view has moved', async () => {
    const { world, policies } = setUp();
    const first = await policies.at('acme', 'content');
    world.now = 999;
    expect(await policies.at('acme', 'content')).toBe(first);
    expect(world.reads).toBe(1);
    world.rules = [];
    policies.clearCache();
    expect((await policies.at('acme', 'content')).rules).toEqual([]);
    world.rules = [email];
    world.now = 2_000;
    const again = await policies.at('acme', 'content');
    expect(again.rules).toEqual([email]);
    // What is as before is not compiled again.
    policies.clearCache();
    expect(await policies.at('acme', 'content')).toBe(again);
    expect(world.reads).toBe(4);
    world.now = 3_000;
    expect(await policies.at('acme', 'content')).toBe(again);
    expect(world.reads).toBe(5);
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
    policies.clearCache();
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
    policies.clearCache();
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
  const retrieve = createRetrieve({ words: index, vectors: index, contents });
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
    const { results } = await searchUnder({ at, clearCache: () => {} });
    expect(results.map((hit) => hit.content)).toEqual([
      { id: 'c1', text: 'write to [email]', title: '[email]', keywords: ['mail'] },
    ]);
    expect(stages).toEqual(['acme content']);
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
    const redacted = createRedactedCatalog(inner(isThere), { at, clearCache: () => {} });
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
});
