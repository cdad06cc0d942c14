import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { createKeptStates, type KeptStates } from '../../../application/event-sourcing/kept-states.ts';
import type { EventStore } from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { tag, type TagCommand, type TagEvent } from '../../../domain/tag/index.ts';
import { countingIds } from '../../support/ids.ts';
import { type Fate, scheduledStore } from '../../support/scheduled-store.ts';

const codec = createEventCodec();
const STREAM = tagStream('acme');
const CONTEXT = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' } as const,
  correlationId: 'c',
  causationId: 'c',
};

const name = fc.constantFrom('a', 'b', 'c', 'd');
const command: fc.Arbitrary<TagCommand> = fc.oneof(
  fc
    .tuple(fc.uuid(), name)
    .map(([tagId, of]): TagCommand => ({ type: 'create', tagId, name: of, description: '', at: 1 })),
  fc.tuple(name, name).map(([tagId, of]): TagCommand => ({ type: 'change', tagId, name: of, at: 2 })),
  name.map((tagId): TagCommand => ({ type: 'delete', tagId, at: 3 })),
  name.map((tagId): TagCommand => ({ type: 'create', tagId, name: tagId, description: '', at: 4 })),
);
/** No more than one command asks for again. */
const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.constantFrom('answered', 'lost after commit', 'lost before commit'),
  { maxLength: 3 },
);

/** Judges appends by what is written, and shows and confirms it only when the scheduler says so. */
const replicated = (scheduler: fc.Scheduler, memory: EventStore) => {
  let shown = -1n;
  const store: EventStore = {
    append: async (...args) => {
      const result = await memory.append(...args);
      await scheduler.schedule(Promise.resolve(), 'replicated');
      if (result.revision > shown) shown = result.revision;
      return result;
    },
    readStream: async (...args) =>
      (await memory.readStream(...args)).filter(({ revision }) => revision <= shown),
  };
  return { store, confirmed: () => Number(shown) + 1 };
};

/** What a command led to, and how much of the log was confirmed when it was sent. */
interface Outcome {
  readonly command: TagCommand;
  readonly since: number;
  readonly events: readonly TagEvent[] | 'refused';
  readonly revision: bigint | 'none';
}

const sent = async (execute: Execute, wanted: TagCommand, since: number): Promise<Outcome> => {
  try {
    const { events, revision } = await execute(tag, STREAM, wanted, CONTEXT);
    return { command: wanted, since, events, revision };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { command: wanted, since, events: 'refused', revision: 'none' };
  }
};

const decision = (wanted: TagCommand, log: readonly TagEvent[]): readonly TagEvent[] | 'refused' => {
  try {
    return tag.decide(wanted, fold(tag, log, tag.initial));
  } catch {
    return 'refused';
  }
};

/** What a command may have been decided on: where it wrote, all that is before; else what was the newest while it ran. */
const basesOf = (
  log: readonly TagEvent[],
  { since, events, revision }: Outcome,
): readonly (readonly TagEvent[])[] => {
  if (events !== 'refused' && events.length > 0) return [log.slice(0, Number(revision) + 1 - events.length)];
  return Array.from({ length: log.length + 1 - since }, (_, more) => log.slice(0, since + more));
};

/** Processes over one store, each with so many writers, who send their share of the commands one after the other. */
const runLanes = async (
  {
    scheduler,
    lanes,
    writers,
    lost,
  }: {
    readonly scheduler: fc.Scheduler;
    readonly lanes: readonly (readonly TagCommand[])[];
    readonly writers: number;
    readonly lost: readonly Fate[];
  },
  keptFor: () => KeptStates,
) => {
  const memory = createMemoryEventStore(() => 1);
  const { store, confirmed } = replicated(scheduler, memory);
  const ids = countingIds();
  const shared = scheduledStore(scheduler, store, lost);
  let together = 0;
  const append: EventStore['append'] = (stream, expected, events) => {
    if (events.length > 1) together += 1;
    return shared.append(stream, expected, events);
  };
  const all = lanes.flatMap((commands) => {
    const execute = createExecute({ store: { ...shared, append }, codec, ids, kept: keptFor() });
    return Array.from({ length: writers }, async (_, writer) => {
      const outcomes: Outcome[] = [];
      for (const one of commands.filter((_command, i) => i % writers === writer))
        outcomes.push(await sent(execute, one, confirmed()));
      return outcomes;
    });
  });
  const outcomes = (await scheduler.waitFor(Promise.all(all))).flat();
  const log = (await memory.readStream(STREAM)).map((event) => codec.decode(event) as TagEvent);
  return { outcomes, log, together };
};

const lane = fc.array(command, { minLength: 4, maxLength: 12, size: 'max' });

describe('states that are decided on without a look at the stream', () => {
  it.each([
    { writers: 1, leastTogether: 0 },
    { writers: 4, leastTogether: 100 },
  ])(
    'lose and double nothing, and refuse nothing on what was old when the command came, with $writers writers in each process',
    async ({ writers, leastTogether }) => {
      let [current, shared] = [0, 0];
      const counting = (kept: KeptStates): KeptStates => ({
        ...kept,
        current: (...args) => {
          const found = kept.current(...args);
          if (found !== undefined) current += 1;
          return found;
        },
      });
      const keptFor = () => counting(createKeptStates({ clock: { now: () => 0 }, from: 1 }));
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), lane, lane, fates, async (scheduler, first, second, lost) => {
          const lanes = [first, second];
          const { outcomes, log, together } = await runLanes({ scheduler, lanes, writers, lost }, keptFor);
          shared += together;
          for (const outcome of outcomes) {
            const answers = basesOf(log, outcome).map((basis) => decision(outcome.command, basis));
            expect(answers).toContainEqual(outcome.events);
          }
          const written = outcomes.reduce(
            (sum, { events }) => sum + (events === 'refused' ? 0 : events.length),
            0,
          );
          expect(log).toHaveLength(written);
        }),
        { numRuns: 150 },
      );
      expect(current).toBeGreaterThan(200);
      expect(shared).toBeGreaterThanOrEqual(leastTogether);
    },
  );
});
