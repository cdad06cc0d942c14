import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { createKeptStates } from '../../../application/event-sourcing/kept-states.ts';
import type { EventStore } from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand } from '../../../domain/tag/index.ts';
import { countingIds } from '../../support/ids.ts';
import { createTag as create } from '../../support/tag-commands.ts';

const STREAM = tagStream('acme');
const codec = createEventCodec();

let memory: ReturnType<typeof createMemoryEventStore>;
let now: number;
let reads: number;
let appends: number;
let process: Execute;
let other: Execute;
const run = (execute: Execute, command: TagCommand, tenant = 'acme') =>
  execute(tag, STREAM, command, {
    tenant,
    actor: { kind: 'api_key', id: 'key-1' },
    correlationId: 'c',
    causationId: 'c',
  });
const asked = (): readonly [reads: number, appends: number] => {
  const counts = [reads, appends] as const;
  [reads, appends] = [0, 0];
  return counts;
};

beforeEach(async () => {
  memory = createMemoryEventStore(() => 1);
  [now, reads, appends] = [0, 0, 0];
  const counted: EventStore = {
    readStream: (...args) => {
      reads += 1;
      return memory.readStream(...args);
    },
    append: (...args) => {
      appends += 1;
      return memory.append(...args);
    },
  };
  const ids = countingIds();
  const kept = createKeptStates({ clock: { now: () => now }, from: 1 });
  process = createExecute({ store: counted, codec, ids, kept });
  other = createExecute({ store: memory, codec, ids });
  await run(process, create('one'));
  await run(process, create('two'));
  asked();
});

describe('a process that alone writes to a stream', () => {
  it('does not read what it has just written', async () => {
    const done = await run(process, create('three'));
    expect([asked(), done.revision, done.state.tags.size]).toStrictEqual([[0, 1], 2n, 3]);
  });

  it('reads it again after a second', async () => {
    now = 1_001;
    await run(process, create('three'));
    expect(asked()).toStrictEqual([1, 1]);
  });

  it('decides again where somebody else has written, with one append that is refused', async () => {
    await run(other, create('three'));
    expect((await run(process, create('four'))).revision).toBe(3n);
    expect(asked()).toStrictEqual([1, 2]);
  });

  it('does not count as the only one until it has written twice in a row again', async () => {
    await run(other, create('three'));
    await run(process, create('four'));
    asked();
    await run(process, create('five'));
    expect(asked()).toStrictEqual([1, 1]);
    await run(process, create('six'));
    expect(asked()).toStrictEqual([0, 1]);
  });

  it('refuses nothing before it has read what others have allowed', async () => {
    await run(other, { type: 'delete', tagId: 'one', at: 2 });
    const done = await run(process, create('one', 'another'));
    expect([asked(), done.events]).toStrictEqual([[1, 1], [expect.objectContaining({ name: 'one' })]]);
  });

  it('leaves nothing as it is before it has read what others have changed', async () => {
    await run(other, { type: 'change', tagId: 'one', name: 'first', at: 2 });
    const done = await run(process, { type: 'change', tagId: 'one', name: 'one', at: 3 });
    expect(done.events).toHaveLength(1);
    expect(await run(process, { type: 'change', tagId: 'one', name: 'one', at: 4 })).toMatchObject({
      events: [],
      revision: 3n,
    });
  });

  it('refuses what others have forbidden', async () => {
    await run(other, create('three'));
    await expect(run(process, create('three', 'another'))).rejects.toMatchObject({ code: 'name_taken' });
    expect(await memory.readStream(STREAM)).toHaveLength(3);
  });

  it('finds no stream of another tenant', async () => {
    const foreign = run(process, create('three'), 'other');
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    expect(asked()).toStrictEqual([1, 0]);
  });
});
