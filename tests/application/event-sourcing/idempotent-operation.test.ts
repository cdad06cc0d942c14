import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { idempotently } from '../../../application/event-sourcing/idempotent.ts';
import { type EventStore, OutcomeUnknown } from '../../../application/ports/event-store.ts';
import type { Hash } from '../../../application/ports/identity.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { countingIds } from '../../support/ids.ts';
import { scheduledStore } from '../../support/scheduled-store.ts';

const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'c',
  causationId: 'c',
};
const hash: Hash = { sha256: (data) => createHash('sha256').update(data).digest('hex') };

describe('an operation that creates', () => {
  /** Makes `name` under its id where that is free, as deciders do; names in `taken` are refused. */
  const setUp = (taken: Set<string>, wrap: (store: EventStore) => EventStore = (store) => store) => {
    const memory = createMemoryEventStore(() => 1);
    const ids = countingIds();
    const execute = createExecute({ store: wrap(memory), codec: createEventCodec(), ids });
    const deps = { execute, ids, hash, clock: { now: () => 1 } };
    const made = new Map<string, string>();
    const create = (name: string, act: () => Promise<void> = async () => undefined, keyed = true) =>
      idempotently(
        deps,
        { operation: 'createTag', key: keyed ? 'k' : undefined, body: { name } },
        1,
        CONTEXT,
        async (claimed) => {
          await act();
          const [id = ''] = claimed.ids;
          const changed = !made.has(id);
          if (changed && taken.has(name)) throw new DomainError('name_taken', 'another has it');
          if (changed) made.set(id, name);
          return { record: id, position: '', changed };
        },
      );
    return { create, made, memory };
  };

  it('answers its first answer again, and says so', async () => {
    const { create, memory } = setUp(new Set());
    const first = await create('a');
    expect(first).toMatchObject({ changed: true, replayed: false });
    for (let i = 0; i < 5; i += 1) {
      expect(await create('a')).toMatchObject({ record: first.record, changed: false, replayed: true });
    }
    // One repetition is counted; the others find that it was answered.
    const types = (await memory.read('', {}, 20)).events.map(({ type }) => type);
    expect(types).toEqual(['IdempotencyKeyClaimed', 'IdempotencyKeyClaimed', 'IdempotencyKeyUsed']);
  });

  it('that is refused leaves the key to another body, and one that was not answered does not', async () => {
    const { create, memory } = setUp(new Set(['a']));
    await expect(create('a')).rejects.toMatchObject({ code: 'name_taken' });
    const { record } = await create('b');
    expect(await create('b')).toMatchObject({ record, replayed: true });
    const types = (await memory.read('', {}, 20)).events.map(({ type }) => type);
    expect(types).toEqual([
      'IdempotencyKeyClaimed',
      'IdempotencyKeyReleased',
      'IdempotencyKeyClaimed',
      'IdempotencyKeyClaimed',
      'IdempotencyKeyUsed',
    ]);
    const away = setUp(new Set());
    const unavailable = () => Promise.reject(new DomainError('unavailable', 'the store is away'));
    await expect(away.create('a', unavailable)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(away.create('b')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('says of the answers of two that race that one is the other again, whichever was quicker', async () => {
    const { create, made } = setUp(new Set());
    let quicker: { readonly replayed?: boolean } = {};
    const slower = await create('a', async () => {
      quicker = await create('a');
    });
    expect([quicker.replayed, slower.replayed, made.size]).toEqual([false, true, 1]);
  });

  it('of which nobody knows how it ended keeps the key, and its repetition completes it', async () => {
    const { create, made } = setUp(new Set());
    const lost = () => Promise.reject(new OutcomeUnknown('the connection broke'));
    await expect(create('a', lost)).rejects.toThrow(OutcomeUnknown);
    await expect(create('b')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(await create('a')).toMatchObject({ changed: true, replayed: false });
    expect([...made.values()]).toEqual(['a']);
  });

  it('makes one thing at most, however requests with one key and refusals meet', async () => {
    const outcomes = new Set<string>();
    const order = fc.array(fc.constantFrom('a', 'b'), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), order, fc.nat({ max: 12 }), async (scheduler, names, late) => {
        const taken = new Set(['a']);
        const { create, made } = setUp(taken, (store) => scheduledStore(scheduler, store));
        const turn = () => scheduler.schedule(Promise.resolve(), 'creates');
        // Somewhere on the way the name gets free.
        const free = async (): Promise<void> => {
          for (let i = 0; i <= late; i += 1) await scheduler.schedule(Promise.resolve(), 'frees');
          taken.clear();
        };
        const racing = Promise.allSettled([...names.map((name) => create(name, turn)), free()]);
        const answers = await scheduler.waitFor(racing);
        expect(made.size).toBeLessThanOrEqual(1);
        const won = answers.slice(0, -1).filter(({ status }) => status === 'fulfilled');
        outcomes.add(`${made.size} made, ${won.length > 1 ? 'several' : won.length} answered`);
      }),
      { numRuns: 300 },
    );
    expect([...outcomes].toSorted()).toEqual([
      '0 made, 0 answered',
      '1 made, 1 answered',
      '1 made, several answered',
    ]);
  });
});
