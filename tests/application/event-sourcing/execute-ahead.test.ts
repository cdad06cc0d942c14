import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { ConcurrencyConflict, type EventStore } from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';

const STREAM = tagStream('acme');
const CONTEXT = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' } as const,
  correlationId: 'c',
  causationId: 'c',
};
const create = (name: string): TagCommand => ({ type: 'create', tagId: name, name, description: '', at: 1 });
const run = (execute: Execute, command: TagCommand, options = {}) =>
  execute(tag, STREAM, command, CONTEXT, options);

/** A store that shows the events behind `shown` only after so many looks, though it knows their revisions at once. */
const lagging = (memory: EventStore) => {
  let [hidden, looks] = [0, 0];
  const store: EventStore = {
    append: (...args) => memory.append(...args),
    readStream: async (stream, from, limit) => {
      const events = await memory.readStream(stream, from, limit);
      looks += 1;
      if (looks <= hidden) return events.filter(({ revision }) => revision < 1n);
      return events;
    },
  };
  const hide = (times: number): void => void ([hidden, looks] = [times, 0]);
  return { store, hide, looks: () => looks };
};

/** A process on a store that lags, and another that has written what the first one does not see yet. */
const behind = async (deadline: () => AbortSignal = () => new AbortController().signal) => {
  const memory = createMemoryEventStore(() => 1);
  const { store, hide, looks } = lagging(memory);
  const [codec, ids] = [createEventCodec(), countingIds()];
  const pauses: number[] = [];
  let appends = 0;
  const counted: EventStore = {
    ...store,
    append: (...args) => {
      appends += 1;
      return store.append(...args);
    },
  };
  const backOff = {
    sleep: async (ms: number) => void pauses.push(ms),
    random: () => 0.5,
    deadline,
  };
  const other = createExecute({ store: memory, codec, ids });
  await run(other, create('first'));
  await run(other, create('second'));
  const execute = createExecute({ store: counted, codec, ids, backOff });
  return { memory, execute, hide, looks, pauses, appends: () => appends };
};

describe('a conflict that names events which reads do not show yet', () => {
  it('is decided on once it is shown', async () => {
    const { execute, hide } = await behind();
    hide(4);
    // By what the first reads show the name is free.
    const taken = { ...create('second'), tagId: 'another' };
    await expect(run(execute, taken)).rejects.toMatchObject({ code: 'name_taken' });
  });

  it('is waited for by a command that guessed its stream to be new', async () => {
    const { execute, hide, appends } = await behind();
    hide(3);
    const done = await run(execute, create('third'), { probablyNew: true });
    expect(done.revision).toBe(2n);
    expect(appends()).toBe(2);
  });

  it('is forgotten where its events never come, as those of a leader that lost its place', async () => {
    const { memory, execute, hide } = await behind();
    hide(0);
    const append = memory.append.bind(memory);
    let lies = 1;
    memory.append = async (stream, expected, events) => {
      if (lies-- > 0) throw new ConcurrencyConflict(stream, expected, 9n);
      return append(stream, expected, events);
    };
    expect((await run(execute, create('third'))).revision).toBe(2n);
  });
});
