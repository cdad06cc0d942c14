import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../application/event-codec.ts';
import type { CommandContext } from '../../application/event-metadata.ts';
import { createExecute } from '../../application/execute.ts';
import { canonicalJson, claimedIds } from '../../application/idempotent.ts';
import { type ClaimKey, idempotencyKey } from '../../application/idempotency.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { Hash } from '../../application/ports/identity.ts';
import { historyOf, refusalOf } from '../support/decisions.ts';
import { countingIds } from '../support/ids.ts';
import { type Fate, scheduledStore } from '../support/scheduled-store.ts';

const CLAIM: ClaimKey = { type: 'claim', operation: 'createCrawl', body_hash: 'a1', ids: ['id-1'], at: 1 };
const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'c',
  causationId: 'c',
};
const hash: Hash = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

describe('an idempotency key', () => {
  const first = historyOf(idempotencyKey, [CLAIM]);

  it('is claimed with the ids that the operation will use', () => {
    expect(first.events).toStrictEqual([
      { type: 'IdempotencyKeyClaimed', operation: 'createCrawl', body_hash: 'a1', ids: ['id-1'], at: 1 },
    ]);
  });

  it('used again with the same body keeps the first ids', () => {
    const again = idempotencyKey.decide({ ...CLAIM, ids: ['id-2'], at: 2 }, first.state);
    expect(again).toStrictEqual([]);
    expect(first.state).toMatchObject({ ids: ['id-1'], at: 1 });
  });

  it.each([
    ['body', { body_hash: 'b2' }],
    ['operation', { operation: 'createRepo' }],
  ])('used again with another %s is refused', (_, other) => {
    const refusal = refusalOf(() => idempotencyKey.decide({ ...CLAIM, ...other }, first.state));
    expect(refusal).toBe('idempotency_conflict');
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
      return claimedIds(deps, { operation, key, body }, 2, { ...CONTEXT, tenant });
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

  it('are made once when requests with the same key race', async () => {
    const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost after commit', 'lost before commit'), {
      maxLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lost) => {
        const { claim, memory } = setUp((store) => scheduledStore(scheduler, store, lost));
        const racing = Promise.all([claim('k', { n: 1 }), claim('k', { n: 1 }), claim('k', { n: 1 })]);
        const answers = await scheduler.waitFor(racing);
        expect(new Set(answers.map(({ ids, at }) => `${ids.join()} ${at}`))).toHaveProperty('size', 1);
        expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
        expect((await memory.read('', {}, 10)).events).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });

  it('are given to one of two racing requests with different bodies', async () => {
    const winners = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { claim, memory } = setUp((store) => scheduledStore(scheduler, store));
        const racing = Promise.allSettled([claim('k', { n: 1 }), claim('k', { n: 2 })]);
        const answers = await scheduler.waitFor(racing);
        const [one, two] = answers.map((answer) => (answer.status === 'fulfilled' ? 'won' : answer.reason));
        expect([one, two]).toContain('won');
        expect([one, two]).toContainEqual(expect.objectContaining({ code: 'idempotency_conflict' }));
        expect((await memory.read('', {}, 10)).events).toHaveLength(1);
        winners.add(one === 'won' ? 'first' : 'second');
      }),
      { numRuns: 50 },
    );
    expect(winners).toHaveProperty('size', 2);
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
