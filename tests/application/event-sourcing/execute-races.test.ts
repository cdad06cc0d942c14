import { ContentionTimeout } from '../../../application/event-sourcing/back-off.ts';
import type { DomainEvent } from '../../../application/event-sourcing/aggregates.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { type Execute, createExecute } from '../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { type EventStore, OutcomeUnknown } from '../../../application/ports/event-store.ts';
import { type DataSourceEvent, dataSource } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type TagCommand, tag } from '../../../domain/tag/decider.ts';
import {
  START,
  STEP_MS,
  type Step,
  begun,
  canceled,
  claimed,
  completed,
  created,
  progressed,
  retried,
  stopped,
} from '../../domain/data-source/job-steps.ts';
import { countingIds } from '../../support/ids.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { type Fate, scheduledStore } from '../../support/scheduled-store.ts';
import { createTag as create } from '../../support/tag-commands.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const codec = createEventCodec();

type Answer = DomainEvent['type'] | 'nothing' | 'refused' | 'unknown';

/** What the caller learns. A conflict that outlasts all patience would be thrown here, and fail the property. */
const answerOf = async (running: ReturnType<Execute>): Promise<Answer> => {
  try {
    return (await running).events.at(-1)?.type ?? 'nothing';
  } catch (error) {
    if (error instanceof DomainError) return 'refused';
    if (error instanceof OutcomeUnknown) return 'unknown';
    throw error;
  }
};

const countOf = (events: readonly DataSourceEvent[], ...types: readonly DataSourceEvent['type'][]): number =>
  events.filter(({ type }) => types.includes(type)).length;

const anyFates = fc.array(fc.constantFrom<Fate>('answered', 'lost after commit', 'lost before commit'), {
  maxLength: 6,
});

const RUNS = { numRuns: 100 };

describe('racing commands', () => {
  const STREAM = 'dataSource-1';

  const CONTEXT: CommandContext = {
    tenant: 'acme',
    actor: { kind: 'worker', id: 'worker-1' },
    correlationId: 'c',
    causationId: 'c',
  };

  const recordedIn = async (store: EventStore): Promise<readonly DataSourceEvent[]> =>
    (await store.readStream(STREAM)).map((event) => codec.decode(event) as DataSourceEvent);

  /** A store in which the steps have happened, and the time after them. */
  const prepared = async (steps: readonly Step[]) => {
    const store = createMemoryEventStore(() => START);
    const ids = countingIds();
    const execute = createExecute({ store, codec, ids });
    let state = dataSource.initial;
    for (const [i, step] of steps.entries()) {
      const done = await execute(dataSource, STREAM, step(state, START + i * STEP_MS), CONTEXT);
      state = done.state;
    }
    return { store, ids, state, at: START + steps.length * STEP_MS };
  };

  /** Runs the steps against the prepared state at once, each in a process of its own, in the order of the scheduler. */
  const race = async (
    scheduler: fc.Scheduler,
    before: readonly Step[],
    racing: readonly Step[],
    fates: readonly Fate[] = [],
  ) => {
    const { store, ids, state, at } = await prepared(before);
    const shared = scheduledStore(scheduler, store, fates);
    const all = Promise.all(
      racing.map((step) => {
        const execute = createExecute({ store: shared, codec, ids });
        return answerOf(execute(dataSource, STREAM, step(state, at), CONTEXT));
      }),
    );
    const answers = await scheduler.waitFor(all);
    const events = await recordedIn(store);
    return { answers, events, final: fold(dataSource, events, dataSource.initial).status };
  };

  it('let one of many claims win, and refuse the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 5 }), async (scheduler, workers) => {
        const claims = Array.from({ length: workers }, () => claimed);
        const { answers, events } = await race(scheduler, [created], claims);
        expect(answers.toSorted()).toStrictEqual(['JobClaimed', ...claims.slice(1).map(() => 'refused')]);
        expect(events.filter(({ type }) => type === 'JobClaimed')).toMatchObject([{ epoch: 1 }]);
      }),
      RUNS,
    );
  });

  it('give each epoch once while claims race with the loss of the worker', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyFates, async (scheduler, lostAnswers) => {
        const before = [created, claimed, retried(), claimed];
        const racing = [retried('worker_stopped'), claimed, claimed, begun, progressed];
        const { events } = await race(scheduler, before, racing, lostAnswers);
        const epochs = events.flatMap((event) => ('epoch' in event ? [event.epoch] : []));
        expect(epochs).toStrictEqual([...new Set(epochs)].toSorted((a, b) => a - b));
      }),
      RUNS,
    );
  });

  it('end a job as finished or as canceled, never as both, and tell each caller what came of it', async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyFates, async (scheduler, lostAnswers) => {
        const racing = [completed, canceled, stopped('timeout')];
        const { answers, events, final } = await race(
          scheduler,
          [created, claimed, begun],
          racing,
          lostAnswers,
        );
        expect(countOf(events, 'JobSucceeded', 'JobCanceled')).toBeLessThanOrEqual(1);
        const [finished, asked, ended] = answers;
        expect(finished === 'JobSucceeded' && ended === 'JobCanceled').toBe(false);
        const allowed = { success: ['JobSucceeded', 'unknown'], canceled: ['refused', 'unknown'] };
        expect(allowed[final as 'success'] ?? ['unknown']).toContain(finished);
        expect(asked).toMatch(/JobCancelRequested|nothing|unknown/);
        ends.add(final);
      }),
      RUNS,
    );
    expect([...ends]).toEqual(expect.arrayContaining(['success', 'canceled']));
  });

  it('store no event twice, however many answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyFates, async (scheduler, lostAnswers) => {
        const { answers, events } = await race(scheduler, [], [created, created], lostAnswers);
        expect(events.map(({ type }) => type)).toStrictEqual(
          events.length === 0 ? [] : ['DataSourceRegistered', 'JobQueued'],
        );
        expect(events.length > 0 || answers.every((answer) => answer === 'unknown')).toBe(true);
      }),
      RUNS,
    );
  });
});

/** Processes over one store, and what their appends met there. */
const processesOver = (count: number, wrap: (store: EventStore) => EventStore = (store) => store) => {
  const memory = createMemoryEventStore(() => 1);
  const shared = wrap(memory);
  const appends = { sent: 0, refused: 0 };
  const store: EventStore = {
    ...shared,
    append: async (...args) => {
      appends.sent += 1;
      return shared.append(...args).catch((error: unknown) => {
        appends.refused += 1;
        throw error;
      });
    },
  };
  const ids = countingIds();
  const processes = Array.from({ length: count }, () => createExecute({ store, codec, ids }));
  return { memory, processes, appends };
};

describe('execute contention', () => {
  const STREAM = tagStream('acme');

  const CONTEXT = {
    tenant: 'acme',
    actor: { kind: 'api_key', id: 'key-1' } as const,
    correlationId: 'c',
    causationId: 'c',
  };

  const run = (execute: Execute, command: TagCommand, signal?: AbortSignal) =>
    execute(tag, STREAM, command, { ...CONTEXT, ...(signal !== undefined && { signal }) });

  describe('writes to one stream that do not contradict each other', () => {
    it('are appended one after the other within a process, in the order in which they came', async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const { processes, appends } = processesOver(1, (store) => scheduledStore(scheduler, store));
          const all = Array.from({ length: 64 }, (_, i) => run(processes[0]!, create(`tag ${i}`)));
          const done = await scheduler.waitFor(Promise.all(all));
          expect(done.map(({ revision }) => revision)).toStrictEqual(done.map((_, i) => BigInt(i)));
          expect(appends).toStrictEqual({ sent: 64, refused: 0 });
        }),
        { numRuns: 10 },
      );
    });

    it('all succeed over two processes', async () => {
      const refused: number[] = [];
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const { memory, processes, appends } = processesOver(2, (store) =>
            scheduledStore(scheduler, store),
          );
          const all = Array.from({ length: 64 }, (_, i) => run(processes[i % 2]!, create(`tag ${i}`)));
          await scheduler.waitFor(Promise.all(all));
          const names = (await memory.readStream(STREAM)).map(({ data }) => data['name']);
          expect([names.length, new Set(names).size]).toStrictEqual([64, 64]);
          refused.push(appends.refused);
        }),
        { numRuns: 10 },
      );
      expect(Math.max(...refused)).toBeGreaterThan(0);
    });

    it('come before what was sent later, however many keep writing', async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 16 }), async (scheduler, writers) => {
          const { processes } = processesOver(1, (store) => scheduledStore(scheduler, store));
          const [execute] = processes as [Execute];
          let written = 0;
          const removed = new AbortController();
          const write = async (writer: number): Promise<void> => {
            for (let i = 0; !removed.signal.aborted; i += 1) {
              await run(execute, create(`${writer} ${i}`));
              written += 1;
            }
          };
          await scheduler.waitFor(run(execute, create('leaked')));
          const flow = Array.from({ length: writers }, (_, writer) => write(writer));
          const remove = async (): Promise<void> => {
            await run(execute, { type: 'delete', tagId: 'leaked', at: 2 });
            removed.abort();
            expect(written).toBeLessThanOrEqual(writers);
          };
          await scheduler.waitFor(Promise.all([...flow, remove()]));
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('a command that waits in line', () => {
    /** A process whose first append is held back. */
    const blocked = () => {
      const release = Promise.withResolvers<void>();
      let first: Promise<void> | null = release.promise;
      const opened = processesOver(1, (store) => ({
        ...store,
        append: async (...args) => {
          const wait = first;
          first = null;
          await wait;
          return store.append(...args);
        },
      }));
      return { ...opened, execute: opened.processes[0]!, release: release.resolve };
    };

    it('is given up when its caller has gone, and the others go on', async () => {
      const { memory, execute, release } = blocked();
      const gone = new AbortController();
      const first = run(execute, create('first'));
      const left = run(execute, create('left'), gone.signal);
      const last = run(execute, create('last'));
      gone.abort();
      await expect(left).rejects.toBeInstanceOf(ContentionTimeout);
      release();
      await Promise.all([first, last]);
      expect((await memory.readStream(STREAM)).map(({ data }) => data['name'])).toStrictEqual([
        'first',
        'last',
      ]);
    });
  });
});
