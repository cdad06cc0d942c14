import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import type { DomainEvent } from '../../../application/event-sourcing/domain-event.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { type EventStore, OutcomeUnknown } from '../../../application/ports/event-store.ts';
import { dataSource, type DataSourceEvent } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import {
  begun,
  canceled,
  claimed,
  completed,
  created,
  deleted,
  failed,
  progressed,
  retried,
  START,
  type Step,
  STEP_MS,
  stopped,
  ticked,
} from '../../domain/data-source/job-steps.ts';
import { countingIds } from '../../support/ids.ts';
import { type Fate, scheduledStore } from '../../support/scheduled-store.ts';

const STREAM = 'dataSource-1';
const CONTEXT: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'worker', id: 'worker-1' },
  correlationId: 'c',
  causationId: 'c',
};
const codec = createEventCodec();

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

const count = (events: readonly DataSourceEvent[], ...types: readonly DataSourceEvent['type'][]): number =>
  events.filter(({ type }) => types.includes(type)).length;

const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost after commit', 'lost before commit'), {
  maxLength: 6,
});
const RUNS = { numRuns: 100 };

describe('racing commands', () => {
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
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lostAnswers) => {
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
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lostAnswers) => {
        const racing = [completed, canceled, stopped('timeout')];
        const { answers, events, final } = await race(
          scheduler,
          [created, claimed, begun],
          racing,
          lostAnswers,
        );
        expect(count(events, 'JobSucceeded', 'JobCanceled')).toBeLessThanOrEqual(1);
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

  it('find a cancel that was asked before the end noted in the success', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { events } = await race(scheduler, [created, claimed, begun], [completed, canceled]);
        const asked = count(events, 'JobCancelRequested') === 1;
        expect(events.at(-1)).toMatchObject({ type: 'JobSucceeded', afterCancelRequest: asked });
      }),
      RUNS,
    );
  });

  it('leave nothing of a worker behind once the deletion is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lostAnswers) => {
        const racing = [deleted, progressed, failed, retried()];
        const { events } = await race(scheduler, [created, claimed, begun], racing, lostAnswers);
        const accepted = events.findIndex(({ type }) => type === 'DataSourceDeletionRequested');
        expect(accepted === -1 || accepted === events.length - 1).toBe(true);
      }),
      RUNS,
    );
  });

  it('handle a tick once, whoever sends it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lostAnswers) => {
        const due = START + 5;
        const racing = [ticked(due), ticked(due), ticked(due)];
        const { events } = await race(scheduler, [created, claimed, begun, completed], racing, lostAnswers);
        const handled = events.filter((event) => 'dueAt' in event && event.dueAt === due);
        expect(handled.length).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  it('store no event twice, however many answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, async (scheduler, lostAnswers) => {
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
