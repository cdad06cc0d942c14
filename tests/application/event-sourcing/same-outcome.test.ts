import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { createStateCache, type StateCache } from '../../../application/event-sourcing/state-cache.ts';
import type { EventStore } from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { tag, type TagCommand, type TagEvent } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';
import { scheduledStore } from '../../support/scheduled-store.ts';

const codec = createEventCodec();
const STREAMS = [tagStream('acme'), tagStream('other')] as const;
const contextOf = (tenant: string) => ({
  tenant,
  actor: { kind: 'api_key', id: 'key-1' } as const,
  correlationId: 'c',
  causationId: 'c',
});

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const group = fc.constantFrom('g', 'h', 'i');
const pair = fc.tuple(id, group);
const tagCommand: fc.Arbitrary<TagCommand> = fc.oneof(
  fc.tuple(id, id).map(([tagId, name]) => creating(tagId, name)),
  fc.tuple(id, id).map(([tagId, name]): TagCommand => ({ type: 'change', tagId, name, at: 2 })),
  { weight: 3, arbitrary: pair.map(([one, of]) => binding(one, of)) },
  pair.map(([one, of]): TagCommand => ({ type: 'unbind', bindingId: `${one}-${of}`, at: 4 })),
  id.map((tagId): TagCommand => ({ type: 'delete', tagId, at: 5 })),
);
const creating = (tagId: string, name: string): TagCommand => ({
  type: 'create',
  tagId,
  name,
  description: '',
  at: 1,
});
const binding = (tagId: string, sourceGroupId: string): TagCommand => ({
  type: 'bind',
  bindingId: `${tagId}-${sourceGroupId}`,
  tagId,
  sourceGroupId,
  at: 3,
});

/** What somebody does: sends a command to one of two processes, as one of two tenants, or restarts a process. */
interface Act {
  readonly process: number;
  readonly stream: (typeof STREAMS)[number];
  readonly tenant: string;
  readonly command: TagCommand;
  readonly restarts: boolean;
}
const act: fc.Arbitrary<Act> = fc.record({
  process: fc.constantFrom(0, 1),
  stream: fc.constantFrom(...STREAMS),
  tenant: fc.constantFrom('acme', 'acme', 'other'),
  command: tagCommand,
  restarts: fc.nat({ max: 9 }).map((n) => n === 0),
});

/** What each act led to, and both streams, where each process has a cache of states of its own. */
const play = async (acts: readonly Act[], newCache: () => StateCache) => {
  const store = createMemoryEventStore(() => 1);
  const ids = countingIds();
  const start = () => createExecute({ store, codec, ids, cache: newCache() });
  const processes = [start(), start()];
  const told: unknown[] = [];
  for (const { process, stream, tenant, command, restarts } of acts) {
    if (restarts) processes[process] = start();
    try {
      const { events, revision } = await processes[process]!(tag, stream, command, contextOf(tenant));
      told.push({ events, revision });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      told.push(error.code);
    }
  }
  const stored = await Promise.all(STREAMS.map((stream) => store.readStream(stream)));
  return { told, stored: stored.map((events) => events.map(({ type, data }) => ({ type, data }))) };
};

describe('cached states', () => {
  it('change nothing of what any commands of two processes lead to', async () => {
    let found = 0;
    const counted = (cache: StateCache): StateCache => ({
      ...cache,
      find: (of, stream) => {
        const cached = cache.find(of, stream);
        if (cached !== undefined) found += 1;
        return cached;
      },
    });
    const small = () => counted(createStateCache({ from: 1, most: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 80, size: 'max' }), async (acts) => {
        const without = () => createStateCache({ from: Infinity });
        expect(await play(acts, small)).toStrictEqual(await play(acts, without));
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThan(1_000);
  });

  it('let racing commands of two processes each decide on exactly what is before their events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(tagCommand, { minLength: 2, maxLength: 12 }),
        async (scheduler, commands) => {
          const memory = createMemoryEventStore(() => 1);
          const ids = countingIds();
          const shared = scheduledStore(scheduler, memory);
          const processes = [0, 1].map(() =>
            createExecute({ store: shared, codec, ids, cache: createStateCache({ from: 1 }) }),
          );
          const all = commands.map((command, i) => outcome(processes[i % 2]!, command));
          const outcomes = await scheduler.waitFor(Promise.all(all));
          const log = await eventsOf(memory);
          for (const { command, events, revision } of outcomes.filter(({ events: of }) => of.length > 0)) {
            const before = log.slice(0, Number(revision) + 1 - events.length);
            expect(tag.decide(command, fold(tag, before, tag.initial))).toStrictEqual(events);
          }
          const written = outcomes.reduce((sum, { events }) => sum + events.length, 0);
          expect(log).toHaveLength(written);
        },
      ),
      { numRuns: 150 },
    );
  });
});

const outcome = async (execute: Execute, command: TagCommand) => {
  try {
    const { events, revision } = await execute(tag, STREAMS[0], command, contextOf('acme'));
    return { command, events, revision };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { command, events: [] as readonly TagEvent[], revision: 'none' as const };
  }
};

const eventsOf = async (store: EventStore): Promise<readonly TagEvent[]> =>
  (await store.readStream(STREAMS[0])).map((event) => codec.decode(event) as TagEvent);
