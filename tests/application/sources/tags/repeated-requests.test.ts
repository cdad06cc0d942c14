import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../../application/event-sourcing/streams.ts';
import type { CommandContext } from '../../../../application/ports/event-metadata.ts';
import { answeredBefore } from '../../../../application/sources/tags/tag-events.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { type TagCommand, type TagEvent, tag } from '../../../../domain/tag/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { THERE, idOf } from '../../../support/memory-parts.ts';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { type Fate, scheduledStore } from '../../../support/scheduled-store.ts';
import { openTags } from './tags-in-memory.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const caller = callerOf('acme');

const WIKI = { name: 'wiki', description: '' };

const HOUR = 3_600_000;

/** `count` more events of a tag, written at once. */
const changed = async ({ store, codec }: ReturnType<typeof openTags>, tagId: string, count: number) => {
  const events = Array.from({ length: count }, (_, n): TagEvent => {
    return { type: 'TagChanged', tagId, name: `wiki ${n}`, description: '', at: n };
  });
  const [first, ...others] = events.map((event, n) =>
    codec.encode(event, idOf(1_000_000 + n), caller.context),
  );
  const last = (await store.readStream(tagStream('acme'))).at(-1)!.revision;
  await store.append(tagStream('acme'), last, [first!, ...others]);
};

describe('a repeated request', () => {
  it('for a tag is answered as the first was, though much has happened since', async () => {
    const open = openTags();
    const first = await open.tags.create(caller, WIKI, 'k');
    await changed(open, first.record.id, 999);
    const again = await open.tags.create(caller, WIKI, 'k');
    expect(again).toEqual({ ...first, changed: false, replayed: true });
    await open.tags.remove(caller, first.record.id);
    expect(await open.tags.create(caller, WIKI, 'k')).toEqual(again);
    await expect(open.tags.get(caller, first.record.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('for a binding is answered as the first was, and binds nothing again', async () => {
    const { bindings, tags, dataSource, stored } = openTags();
    await dataSource(idOf(1), THERE);
    const tagId = (await tags.create(caller, WIKI, undefined)).record.id;
    const request = { tagId, sourceGroupId: idOf(1) };
    const first = await bindings.bind(caller, request, 'k');
    await bindings.unbind(caller, first.record.id);
    const before = await stored(tagStream('acme'));
    // It answers as it did, so that it says "made" again.
    expect(await bindings.bind(caller, request, 'k')).toEqual({ ...first, replayed: true });
    expect(await stored(tagStream('acme'))).toEqual(before);
  });

  it('whose first try wrote nothing is done now', async () => {
    const open = openTags();
    const away = new Error('away');
    const whole = { ...open.store };
    let isAway = true;
    const append: typeof open.store.append = async (stream, ...rest) => {
      if (isAway && stream === tagStream('acme')) throw away;
      return whole.append(stream, ...rest);
    };
    Object.assign(open.store, { append });
    await expect(open.tags.create(caller, WIKI, 'k')).rejects.toThrow(away);
    isAway = false;
    expect(await open.tags.create(caller, WIKI, 'k')).toMatchObject({ changed: true, replayed: false });
  });

  it('that races with the first makes one tag', async () => {
    const { tags, stored } = openTags();
    const made = await Promise.all([1, 2].map(() => tags.create(caller, WIKI, 'k')));
    expect(made.filter(({ changed: isNew }) => isNew)).toHaveLength(1);
    expect(made[0]!.record).toEqual(made[1]!.record);
    expect(await stored(tagStream('acme'))).toHaveLength(1);
  });
});

describe('what a request wrote', () => {
  /** 802 events, the last two of a second tag five hours after the others, and the ranges of them that were read. */
  const setUp = async () => {
    const open = openTags();
    const { id } = (await open.tags.create(caller, WIKI, undefined)).record;
    await changed(open, id, 799);
    open.time.now += 5 * HOUR;
    const second = (await open.tags.create(caller, WIKI, undefined)).record.id;
    await open.tags.remove(caller, second);
    const ranges: unknown[] = [];
    const { execute } = open;
    const watched = Object.assign(((...of) => execute(...of)) as typeof execute, {
      load: execute.load,
      history: (...[of, stream, tenant, range]: Parameters<typeof execute.history>) => {
        ranges.push(range);
        return execute.history(of, stream, tenant, range);
      },
    });
    const ask = (of: string, since: number, type: 'TagCreated' | 'TagBound' = 'TagCreated') =>
      answeredBefore({ execute: watched }, 'acme', { type, id: of, since });
    return { ...open, id, second, ranges, ask };
  };

  it('is sought no further back than clocks may differ before its request', async () => {
    const { ranges, ask, time } = await setUp();
    const written = time.now - 5 * HOUR;
    expect(await ask(idOf(99), written + HOUR + 1)).toBeUndefined();
    expect(ranges).toHaveLength(1);
    ranges.length = 0;
    expect(await ask(idOf(99), written + HOUR)).toBeUndefined();
    expect(ranges).toHaveLength(2);
  });
});

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
