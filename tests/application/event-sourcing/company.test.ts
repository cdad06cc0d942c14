import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import {
  AppendTooLarge,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand, type TagEvent } from '../../../domain/tag/index.ts';
import { countingIds } from '../../support/ids.ts';
import { createTag as create } from '../../support/tag-commands.ts';

const STREAM = tagStream('acme');
const codec = createEventCodec();
type Append = EventStore['append'];

let memory: ReturnType<typeof createMemoryEventStore>;
/** What each append was sent: the names in it. */
let sent: (readonly unknown[])[];
let append: Append;
let process: Execute;
let other: Execute;
const run = (command: TagCommand, by = process, tenant = 'acme', signal?: AbortSignal) =>
  by(tag, STREAM, command, {
    tenant,
    actor: { kind: 'api_key', id: `key of ${JSON.stringify('name' in command && command.name)}` },
    correlationId: 'c',
    causationId: 'c',
    ...(signal && { signal }),
  });
const namesIn = async (): Promise<readonly unknown[]> =>
  (await memory.readStream(STREAM)).map(({ data }) => data['name']);
const asUsual: Append = (...args) => memory.append(...args);
/** From now on appends are answered as `how` says, after what holds them back. */
const appendsBy = (how: Append): void => {
  append = how;
};

beforeEach(async () => {
  memory = createMemoryEventStore(() => 1);
  sent = [];
  append = asUsual;
  const store: EventStore = {
    readStream: (...args) => memory.readStream(...args),
    append: (...args) => {
      sent.push(args[2].map(({ data }) => data['name'] ?? data['tagId']));
      return append(...args);
    },
  };
  const ids = countingIds();
  process = createExecute({ store, codec, ids });
  other = createExecute({ store: memory, codec, ids });
  await run(create('taken'));
  sent = [];
});

describe('commands that wait for the same stream', () => {
  it('are written by one append, each answered and recorded with what is its own', async () => {
    const all = await Promise.all(['a', 'b', 'c'].map((name) => run(create(name))));
    expect(sent).toStrictEqual([['a', 'b', 'c']]);
    expect(all.map(({ revision }) => revision)).toStrictEqual([1n, 2n, 3n]);
    expect(all.map(({ events }) => events)).toMatchObject(
      ['a', 'b', 'c'].map((name) => [{ type: 'TagCreated', name }]),
    );
    expect(all.map(({ state }) => state.tags.size)).toStrictEqual([2, 3, 4]);
    const recorded = await memory.readStream(STREAM, 1n);
    expect(all.map(({ position }) => position)).toStrictEqual(recorded.map(() => recorded[2]?.position));
    expect(recorded.map(({ metadata }) => metadata['actor'])).toStrictEqual(
      ['a', 'b', 'c'].map((name) => ({ kind: 'api_key', id: `key of "${name}"` })),
    );
  });

  it('are decided on what those before them in the append lead to', async () => {
    const all = await Promise.allSettled([
      run(create('a')),
      run({ type: 'change', tagId: 'a', name: 'b', at: 2 }),
      run(create('a', 'another')),
    ]);
    expect(sent).toHaveLength(1);
    expect(all.map(({ status }) => status)).toStrictEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('keep their order where one of them would be refused, which is refused on what is written', async () => {
    const all = await Promise.allSettled([
      run(create('a')),
      run(create('a', 'another')),
      run(create('b')),
      run(create('c')),
    ]);
    expect(sent).toStrictEqual([['a'], ['b', 'c']]);
    expect(all[1]).toMatchObject({ reason: { code: 'name_taken' } });
  });

  it('end with one that changes nothing, which is answered on what is written', async () => {
    const all = await Promise.all([
      run(create('a')),
      run({ type: 'change', tagId: 'a', name: 'a', at: 2 }),
      run(create('b')),
    ]);
    expect(sent).toStrictEqual([['a'], ['b']]);
    expect(all[1]).toMatchObject({ events: [], revision: 1n });
  });

  it('go on their own where they come from another tenant', async () => {
    const all = await Promise.allSettled([run(create('a')), run(create('b'), process, 'another')]);
    expect(sent).toStrictEqual([['a']]);
    expect(all[1]).toMatchObject({ reason: { code: 'not_found' } });
  });

  it('go on their own where another aggregate folds the stream', async () => {
    const context = {
      tenant: 'acme',
      actor: { kind: 'system', id: 's' },
      correlationId: 'c',
      causationId: 'c',
    };
    const others = {
      ...tag,
      evolve: (state: typeof tag.initial, event: TagEvent) => tag.evolve(state, event),
    };
    const byOthers = () => process(others, STREAM, create('b'), context as CommandContext);
    await Promise.all([run(create('a')), byOthers(), run(create('c'))]);
    expect(sent).toStrictEqual([['a'], ['b'], ['c']]);
  });

  it('take a second append beyond a hundred events', async () => {
    await Promise.all(Array.from({ length: 120 }, (_, i) => run(create(String(i)))));
    expect(sent.map(({ length }) => length)).toStrictEqual([100, 20]);
  });

  it('are decided again on what another process has written meanwhile, and each only once', async () => {
    appendsBy(async (...args) => {
      append = asUsual;
      await run(create('b', 'foreign'), other);
      return memory.append(...args);
    });
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(create(name))));
    expect(all.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await namesIn()).toStrictEqual(['taken', 'b', 'a', 'c']);
  });
});

describe('an append of several commands', () => {
  it('that is lost is asked for again with the same events', async () => {
    let tries = 0;
    appendsBy(async (...args) => {
      const result = await memory.append(...args);
      if ((tries += 1) < 3) throw new OutcomeUnknown('the answer was lost');
      return result;
    });
    const all = await Promise.all(['a', 'b'].map((name) => run(create(name))));
    expect(all.map(({ revision }) => revision)).toStrictEqual([1n, 2n]);
    expect(await namesIn()).toStrictEqual(['taken', 'a', 'b']);
  });

  it.each([
    { what: 'is not known', error: new OutcomeUnknown('the answer was lost'), tries: 4 },
    { what: 'did not reach the store', error: new EventStoreUnavailable('it is away'), tries: 1 },
  ])('whose outcome $what tells it to each of them, and nobody asks again', async ({ error, tries }) => {
    appendsBy(() => Promise.reject(error));
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(create(name))));
    expect(all.map((one) => one.status === 'rejected' && one.reason)).toStrictEqual([error, error, error]);
    expect(sent).toHaveLength(tries);
  });

  it('that is refused for what is in it is tried again with one command each', async () => {
    appendsBy(async (stream, expected, events) => {
      if (events.length > 1 || events[0].data['name'] === 'b') throw new AppendTooLarge('too large');
      return memory.append(stream, expected, events);
    });
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(create(name))));
    expect(all.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(all[1]).toMatchObject({ reason: { name: 'AppendTooLarge' } });
    expect(await namesIn()).toStrictEqual(['taken', 'a', 'c']);
  });

  it('that is under way holds those whose callers have gone', async () => {
    const gone = new AbortController();
    appendsBy((...args) => {
      gone.abort();
      return memory.append(...args);
    });
    const all = await Promise.all([run(create('a')), run(create('b'), process, 'acme', gone.signal)]);
    expect(all.map(({ revision }) => revision)).toStrictEqual([1n, 2n]);
  });

  it('that was not written leaves out, from then on, those whose callers have gone', async () => {
    const gone = new AbortController();
    appendsBy(async (...args) => {
      append = asUsual;
      gone.abort();
      await run(create('foreign'), other);
      return memory.append(...args);
    });
    const all = await Promise.allSettled([
      run(create('a')),
      run(create('b'), process, 'acme', gone.signal),
      run(create('c')),
    ]);
    expect(all[1]).toMatchObject({ reason: { name: 'WaitedTooLong' } });
    expect(await namesIn()).toStrictEqual(['taken', 'foreign', 'a', 'c']);
  });
});
