import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { derivedId } from '../../../application/event-sourcing/streams.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { canonicalJson, claimIds } from '../../../application/event-sourcing/idempotent.ts';
import { type ClaimKey, idempotencyKey } from '../../../domain/idempotency/request-key.ts';
import { type EventStore } from '../../../application/ports/event-store.ts';
import type { Hash } from '../../../application/ports/identity.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';
import { countingIds } from '../../support/ids.ts';

const CLAIM: ClaimKey = { type: 'claim', operation: 'createCrawl', bodyHash: 'a1', ids: ['id-1'], at: 1 };
const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'c',
  causationId: 'c',
};
const hash: Hash = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

const CLAIMED = { ...CLAIM, type: 'IdempotencyKeyClaimed' } as const;
const SETTLED = { at: 9 } as const;

describe('an idempotency key', () => {
  const first = historyOf(idempotencyKey, [CLAIM]);
  const claimedBy = (commands: Parameters<typeof historyOf>[1], bodyHash: string) =>
    refusalOf(() => {
      const { state } = historyOf(idempotencyKey, commands as never);
      return idempotencyKey.decide({ ...CLAIM, bodyHash }, state);
    });
  const release = { type: 'release', ...SETTLED };
  const use = { type: 'use', ...SETTLED };

  it('is claimed with the ids that the operation will use', () => {
    expect(first.events).toStrictEqual([CLAIMED]);
  });

  it('used again with the same body keeps the first ids, and is held by both', () => {
    const again = historyOf(idempotencyKey, [CLAIM, { ...CLAIM, ids: ['id-2'], at: 2 }]);
    expect(again.events).toStrictEqual([CLAIMED, CLAIMED]);
    expect(again.state).toMatchObject({ claim: { ids: ['id-1'], at: 1 }, holders: 2 });
  });

  it.each([
    ['body', { bodyHash: 'b2' }],
    ['operation', { operation: 'createRepo' }],
  ])('used again with another %s is refused', (_, other) => {
    const refusal = refusalOf(() => idempotencyKey.decide({ ...CLAIM, ...other }, first.state));
    expect(refusal).toBe('idempotency_conflict');
  });

  it('is free for another body once all that held it were refused, with new ids', () => {
    expect(claimedBy([CLAIM, release], 'b2')).toBeNull();
    expect(claimedBy([CLAIM, CLAIM, release], 'b2')).toBe('idempotency_conflict');
    expect(claimedBy([CLAIM, CLAIM, release, release], 'b2')).toBeNull();
    const { state } = historyOf(idempotencyKey, [
      CLAIM,
      { type: 'release', at: 2 },
      { ...CLAIM, ids: ['id-2'] },
    ]);
    expect(state).toMatchObject({ claim: { ids: ['id-2'] }, holders: 1 });
  });

  it('is released by nobody who does not hold it', () => {
    expect(idempotencyKey.decide({ type: 'release', at: 1 }, null)).toStrictEqual([]);
    expect(() => idempotencyKey.evolve(null, { type: 'IdempotencyKeyUsed', at: 1 })).toThrow(
      'IdempotencyKeyUsed before IdempotencyKeyClaimed',
    );
    const { state } = historyOf(idempotencyKey, [CLAIM]);
    expect(idempotencyKey.decide({ type: 'release', at: 7 }, state)).toStrictEqual([
      { type: 'IdempotencyKeyReleased', at: 7 },
    ]);
  });

  it('that answered a repeated request stays bound, and further ones write nothing', () => {
    const used = historyOf(idempotencyKey, [CLAIM, CLAIM, { type: 'use', at: 3 }]);
    expect(idempotencyKey.decide(CLAIM, used.state)).toStrictEqual([]);
    expect(idempotencyKey.decide({ type: 'use', at: 4 }, used.state)).toStrictEqual([]);
    expect(idempotencyKey.decide({ type: 'release', at: 4 }, used.state)).toStrictEqual([]);
    expect(claimedBy([CLAIM, CLAIM, use, release, release], 'b2')).toBe('idempotency_conflict');
  });
});

describe('ids claimed for a request', () => {
  const setUp = (wrap: (store: EventStore) => EventStore = (store) => store) => {
    const memory = createMemoryEventStore(() => 1);
    const ids = countingIds();
    let now = 0;
    const store = wrap(memory);
    const codec = createEventCodec();
    const clock = { now: () => (now += 1) };
    /** Each in a process of its own. */
    const claim = (key: string | undefined, body: unknown, operation = 'createCrawl', tenant = 'acme') => {
      const deps = { execute: createExecute({ store, codec, ids }), ids, hash, clock };
      return claimIds(deps, { operation, key, body }, 2, { ...CONTEXT, tenant });
    };
    return { claim, memory };
  };

  it('are new for every request without a key', async () => {
    const { claim, memory } = setUp();
    const [one, two] = [await claim(undefined, {}), await claim(undefined, {})];
    expect(new Set([...one.ids, ...two.ids])).toHaveProperty('size', 4);
    expect([one.replayed, two.replayed]).toStrictEqual([false, false]);
    expect((await memory.read('', {}, 10)).events).toStrictEqual([]);
  });

  it('are the same for the same key and body, whatever the order of its members', async () => {
    const { claim } = setUp();
    const one = await claim('k', { name: 'Docs', filter: { a: 1, b: [2, 3] } });
    const two = await claim('k', { filter: { b: [2, 3], a: 1 }, name: 'Docs' });
    expect(one.replayed).toBe(false);
    expect(two).toStrictEqual({ ...one, replayed: true });
  });

  it('are kept where every version of the program finds them', async () => {
    const { claim, memory } = setUp();
    await claim('k', {});
    const [event] = (await memory.read('', {}, 1)).events;
    expect(event?.stream).toBe(`idempotency-${derivedId(hash, 'idempotency', 'acme', 'createCrawl', 'k')}`);
  });

  it('are refused for the same key with another body', async () => {
    const { claim } = setUp();
    await claim('k', { list: [1, 2] });
    await expect(claim('k', { list: [2, 1] })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('are those of one operation and one tenant', async () => {
    const { claim } = setUp();
    const one = await claim('k', {});
    expect((await claim('k', { other: 1 }, 'createRepo')).ids).not.toEqual(one.ids);
    expect((await claim('k', { other: 1 }, 'createCrawl', 'other')).ids).not.toEqual(one.ids);
  });

  it.each([
    [{ b: 1, a: { d: null, c: 'x' } }, '{"a":{"c":"x","d":null},"b":1}'],
    [[{ b: 1, a: 2 }, 'z', 3], '[{"a":2,"b":1},"z",3]'],
    ['text', '"text"'],
    [null, 'null'],
  ])('compare bodies in one order of members: %j', (body, text) => {
    expect(canonicalJson(body)).toBe(text);
  });
});
