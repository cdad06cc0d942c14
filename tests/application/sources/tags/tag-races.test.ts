import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../../application/ports/event-metadata.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../../application/event-sourcing/streams.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { tag, type TagCommand } from '../../../../domain/tag/decider.ts';
import { countingIds } from '../../../support/ids.ts';
import { type Fate, scheduledStore } from '../../../support/scheduled-store.ts';

const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' },
  correlationId: 'c',
  causationId: 'c',
};
const codec = createEventCodec();

/** Runs the commands after `before` at once, each in a process of its own; answers what came of each, and the events. */
const race = async (
  scheduler: fc.Scheduler,
  before: readonly TagCommand[],
  racing: readonly TagCommand[],
  fates: readonly Fate[] = [],
) => {
  const memory = createMemoryEventStore(() => 1);
  const ids = countingIds();
  const first = createExecute({ store: memory, codec, ids });
  for (const command of before) await first(tag, tagStream('acme'), command, CONTEXT);
  const store = scheduledStore(scheduler, memory, fates);
  const answers = racing.map(async (command) => {
    const execute = createExecute({ store, codec, ids });
    try {
      const { events } = await execute(tag, tagStream('acme'), command, CONTEXT);
      return events.length === 0 ? 'nothing' : 'done';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  });
  const told = await scheduler.waitFor(Promise.all(answers));
  const stored = await memory.readStream(tagStream('acme'));
  return { told, types: stored.map(({ type }) => type).slice(before.length) };
};

const create = (tagId: string): TagCommand => ({
  type: 'create',
  tagId,
  name: 'x',
  description: '',
  at: 1,
});
const bind = (bindingId: string): TagCommand => ({
  type: 'bind',
  bindingId,
  tagId: 'a',
  sourceGroupId: 'g',
  at: 1,
});
const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost after commit', 'lost before commit'), {
  maxLength: 2,
});

describe('racing commands', () => {
  it('give a name to one of many tags, and refuse the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lost) => {
        const { told, types } = await race(scheduler, [], [create('a'), create('b'), create('c')], lost);
        expect(told.toSorted()).toEqual(['done', 'name_taken', 'name_taken']);
        expect(types).toEqual(['TagCreated']);
      }),
      { numRuns: 60 },
    );
  });

  it('bind a pair once, and tell the others that it is so already', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lost) => {
        const { told, types } = await race(scheduler, [create('a')], [bind('1'), bind('2'), bind('3')], lost);
        expect(told.toSorted()).toEqual(['done', 'nothing', 'nothing']);
        expect(types).toEqual(['TagBound']);
      }),
      { numRuns: 60 },
    );
  });

  it('bind no tag that is deleted', async () => {
    const orders = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const deletion: TagCommand = { type: 'delete', tagId: 'a', at: 1 };
        const { told, types } = await race(scheduler, [create('a')], [bind('1'), deletion]);
        expect(types.at(-1)).toBe('TagDeleted');
        expect(told).toEqual([types.length === 2 ? 'done' : 'not_found', 'done']);
        orders.add(types.join());
      }),
      { numRuns: 60 },
    );
    expect(orders.size).toBe(2);
  });
});
