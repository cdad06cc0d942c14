import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import { sha256 } from '../../../adapters/system/identity.ts';
import type { Caller } from '../../../application/access/caller.ts';
import { derivedId } from '../../../application/event-sourcing/derived-id.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import { createHidingFor } from '../../../application/redaction/hiding.ts';
import { createRedactionPolicyOperations } from '../../../application/redaction/operations.ts';
import { compileRules } from '../../../application/redaction/redactor.ts';
import { idempotencyStream } from '../../../application/event-sourcing/streams.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import { callerOf, noOverlay, NOW } from '../../support/conversations.ts';
import { countingIds } from '../../support/ids.ts';

const caller = callerOf('acme');
const EMAIL: RedactionRule = { name: 'email', kind: 'email' };
const REQUEST = { name: 'Mail', rules: [EMAIL], appliesTo: ['content'] } as const;
const BROKEN = { ...REQUEST, rules: [{ name: 'x', kind: 'pattern', pattern: '(' }] } as const;
const notFound = { code: 'not_found', message: 'there is no such redaction policy' };

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
    forget: () => void inForce.push('forget'),
  });
  return { operations, inForce, listed, store };
};

describe('a redaction policy', () => {
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
    ])
      await expect(work).rejects.toMatchObject(refused);
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    const before = await store.head();
    for (const request of [BROKEN, { ...REQUEST, rules: [] }]) {
      await expect(operations.create(caller, request, 'other')).rejects.toMatchObject({
        name: 'DomainError',
      });
      await expect(operations.change(caller, id, request)).rejects.toMatchObject({ name: 'DomainError' });
    }
    expect(await store.head()).toBe(before);
  });
});

it('a text of a tenant is hidden by its policies for contents', async () => {
  const asked: unknown[] = [];
  const hidingFor = createHidingFor({
    at: async (...of) => {
      asked.push(of);
      return { rules: [EMAIL], compiled: compileRules([EMAIL], textPatterns) };
    },
    forget: () => {},
  });
  expect((await hidingFor('acme'))('to a@b.example')).toBe('to [email]');
  expect(asked).toEqual([['acme', 'content']]);
});
