import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DataSourceEvent,
  type DataSourceState,
  dataSource,
  JOB_STATUSES,
  MAX_ATTEMPTS,
  type StreamStatus,
  statusAfter,
} from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { choices, longChoices, play, REACHABLE, type Taken } from './random-history.ts';
import { cellAt, expectedAt, outcomeOf, rowOf } from './transition-table.ts';

const RUNS = { numRuns: 100 };

const eventsOf = <T extends DataSourceEvent['type']>(
  events: readonly DataSourceEvent[],
  ...types: readonly T[]
): readonly Extract<DataSourceEvent, { type: T }>[] =>
  events.filter((event): event is Extract<DataSourceEvent, { type: T }> =>
    types.some((type) => type === event.type),
  );

const rises = (numbers: readonly number[]): boolean =>
  numbers.every((n, i) => i === 0 || n > (numbers[i - 1] ?? n));

/** What the table allows for a step; a claim or a progress that comes early may also be put off. */
const allowedFor = ({ column, command, before, wait }: Taken): readonly string[] => {
  const from = rowOf(before);
  const name = column ?? '';
  const early = wait < 60_000;
  if (command.type === 'enqueue' && from === '(none)') {
    if (command.registration === undefined) return ['refused: not_found'];
    return [command.registration.ready ? 'queued' : 'not_started'];
  }
  const cell = cellAt(from, name);
  if (command.type === 'reconcile' && from === 'unknown') return [command.status];
  const expected = expectedAt(from, name, cell);
  if (early && name === 'progress') return [expected, expected.startsWith('refused') ? expected : '='];
  if (early && name === 'claim') return [expected, 'refused: conflict'];
  return [expected];
};

/** What must hold of the state after every event of a history. */
const wrongIn = (state: DataSourceState): readonly string[] => {
  if (state.status === 'none') return [];
  const { status, job, epoch } = state;
  const rules: readonly (readonly [string, boolean])[] = [
    ['known status', status === 'removed' || JOB_STATUSES.includes(status)],
    ['attempt of 1 to 3', job.attempt >= 1 && job.attempt <= MAX_ATTEMPTS],
    ['numbered from 1', job.generation >= 1],
    [
      'held only with a token',
      !['managed', 'starting', 'started', 'canceling'].includes(status) || epoch >= 1,
    ],
    ['started at a time', status !== 'started' || job.startedAt !== null],
    ['not started while it waits', status !== 'queued' || job.startedAt === null],
    ['asked to stop at a time', status !== 'canceling' || job.cancelRequestedAt !== null],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
};

// Generous: other work may hold the processor meanwhile.
describe('random histories of a data source', { timeout: 60_000 }, () => {
  it('reach every cell of the table that can be reached, and keep to it at every step', () => {
    const reached = new Set<string>();
    for (const chosen of fc.sample(longChoices, { numRuns: 1_000, seed: 20_251_120 })) {
      const broken = play(chosen).taken.filter((step) => {
        reached.add(`${rowOf(step.before)}/${step.column}`);
        const { cell } = outcomeOf(() => dataSource.decide(step.command, step.before), step.before);
        return step.column !== null && !allowedFor(step).includes(cell);
      });
      expect(broken).toStrictEqual([]);
    }
    expect(REACHABLE.filter((cell) => !reached.has(cell))).toStrictEqual([]);
  });

  it('change nothing by a write of somebody who does not hold the job', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const accepted = play(chosen).taken.filter(
          ({ kind, events }) => kind === 'stale' && events.length > 0,
        );
        expect(accepted).toStrictEqual([]);
      }),
      RUNS,
    );
  });

  it('are legal in every prefix, and the status is the one that the table of events names', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        let state = dataSource.initial;
        let status: StreamStatus | null = null;
        const wrong: string[] = [];
        for (const event of play(chosen).history.events) {
          state = dataSource.evolve(state, event);
          status = statusAfter(event, status);
          wrong.push(...wrongIn(state), ...(state.status === status ? [] : [event.type]));
        }
        expect(wrong).toStrictEqual([]);
      }),
      RUNS,
    );
  });

  it('are decided the same way twice, without a change to the state', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { history, taken } = play(chosen);
        expect(play(chosen).history).toStrictEqual(history);
        const states = taken.map(({ before }) => before);
        const copies = structuredClone(states);
        const again = taken.map(({ command }, i) =>
          outcomeOf(() => dataSource.decide(command, copies[i]!), copies[i]!),
        );
        expect(copies).toStrictEqual(states);
        expect(again.map(({ types }) => types)).toStrictEqual(
          taken.map(({ events }) => events.map(({ type }) => type)),
        );
        expect(fold(dataSource, history.events, dataSource.initial)).toStrictEqual(history.state);
      }),
      { numRuns: 40 },
    );
  });

  it('number jobs and tokens strictly upwards, and handle no tick twice', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { events } = play(chosen).history;
        expect(rises(eventsOf(events, 'JobQueued').map(({ generation }) => generation))).toBe(true);
        expect(rises(eventsOf(events, 'JobClaimed', 'JobHandedOff').map(({ epoch }) => epoch))).toBe(true);
        const ticks = eventsOf(events, 'JobQueued', 'ScheduleTickSkipped').flatMap(
          ({ dueAt }) => dueAt ?? [],
        );
        expect(rises(ticks)).toBe(true);
      }),
      RUNS,
    );
  });

  it('let no job succeed that neither started, nor was handed over, nor ended while it was canceled', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { events } = play(chosen).history;
        for (const { jobId, afterCancelRequest } of eventsOf(events, 'JobSucceeded')) {
          if (afterCancelRequest) continue;
          const own = events.filter((event) => 'jobId' in event && event.jobId === jobId);
          const since = own.slice(own.findLastIndex(({ type }) => type === 'JobRequeued') + 1);
          expect(eventsOf(since, 'JobStarted', 'JobHandedOff').length).toBeGreaterThan(0);
        }
        const ended = eventsOf(events, 'JobSucceeded', 'JobFailed', 'JobCanceled').map(({ jobId }) => jobId);
        expect(new Set(ended).size).toBe(ended.length);
      }),
      RUNS,
    );
  });
});
