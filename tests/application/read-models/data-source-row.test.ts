import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DataSourceRow } from '../../../application/ports/data-source-view.ts';
import {
  dataSourceRow,
  dataSourceRowOf,
  type RowContext,
} from '../../../application/read-models/data-source-row.ts';
import { type DataSourceEvent, type DataSourceState, dataSource } from '../../../domain/data-source/index.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  completed,
  created,
  createdWaiting,
  deleted,
  ERROR,
  failed,
  handedOff,
  lost,
  progressed,
  purgeFailed,
  reconciled,
  retried,
  START,
  type Step,
  STEP_MS,
  stopped,
  SUBJECT,
  synced,
  ticked,
} from '../../domain/data-source/job-steps.ts';
import { choices, play } from '../../domain/data-source/random-history.ts';

const at = (steps: number): number => START + steps * STEP_MS;
const place = (revision: number): RowContext => ({ id: 'ds-1', tenant: 'acme', revision: BigInt(revision) });
const rowAfter = (...steps: readonly Step[]): DataSourceRow | null =>
  dataSourceRowOf(after(...steps).events, 'ds-1', 'acme');

/** What the row and the aggregate both know. */
const common = (state: DataSourceState | DataSourceRow | null): object | null => {
  if (state === null || state.status === 'none') return null;
  const { status, subject, ingestionSettingId, epoch, tickedUntil } = state;
  const { jobId, attempt, mode, generation, counts, startedAt } = 'job' in state ? state.job : state;
  const job = { jobId, attempt, mode, generation, counts, startedAt };
  const since = 'since' in state ? state.since : state.statusSince;
  return { status, since, subject, ingestionSettingId, epoch, tickedUntil, ...job };
};

describe('the row of a data source', () => {
  it('agrees with the aggregate after every event of every history', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        let state = dataSource.initial;
        let row: DataSourceRow | null = null;
        for (const [i, event] of play(chosen).history.events.entries()) {
          state = dataSource.evolve(state, event);
          row = dataSourceRow(row, event, place(i));
          expect(common(row)).toStrictEqual(common(state));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not change by events that it holds already', () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { events } = play(chosen).history;
        const apply = (from: DataSourceRow | null, event: DataSourceEvent, i: number) =>
          dataSourceRow(from, event, place(i));
        const row = events.reduce(apply, null);
        expect(events.reduce(apply, row)).toBe(row);
        const doubled = events.reduce(
          (each, event, i) => apply(apply(each, event, i), event, i),
          null as DataSourceRow | null,
        );
        expect(doubled).toStrictEqual(row);
        expect(dataSourceRowOf(events, 'ds-1', 'acme')).toStrictEqual(row);
      }),
      { numRuns: 200 },
    );
  });

  it('begins with the registration, as the first job that waits', () => {
    expect(rowAfter(createdWaiting)).toStrictEqual({
      id: 'ds-1',
      tenant: 'acme',
      uploadedAt: null,
      status: 'not_started',
      subject: SUBJECT,
      ingestionSettingId: 'setting-1',
      metadata: [{ key: 'team', val: 'search' }],
      error: null,
      jobId: `job-${START}`,
      attempt: 1,
      mode: 'full',
      generation: 1,
      epoch: 0,
      tickedUntil: 0,
      counts: { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 },
      notBefore: START,
      createdAt: START,
      startedAt: null,
      endedAt: null,
      statusSince: START,
      heardAt: START,
      revision: 0n,
    });
    expect(dataSourceRowOf([], 'ds-1', 'acme')).toBeNull();
  });

  it('says why a job waits for another attempt, until a worker tries again', () => {
    const waiting = [created, claimed, begun, retried()] as const;
    expect(rowAfter(...waiting)).toMatchObject({ status: 'queued', error: ERROR });
    expect(rowAfter(...waiting, claimed)).toMatchObject({ status: 'starting', error: null });
    expect(rowAfter(...waiting, canceled)).toMatchObject({ status: 'canceled', error: null });
    expect(rowAfter(...waiting, deleted)).toMatchObject({ status: 'deleting', error: null });
    expect(rowAfter(created, claimed, begun, failed, deleted)).toMatchObject({ error: ERROR });
    const stoppedInOrder = [created, claimed, begun, retried('worker_stopped')] as const;
    expect(rowAfter(...stoppedInOrder)).toMatchObject({ status: 'queued', error: null });
  });

  it('needs the registration first', () => {
    const orphan: DataSourceEvent = { type: 'JobStatusLost', jobId: 'j', at: 1 };
    expect(() => dataSourceRow(null, orphan, place(0))).toThrow('before DataSourceRegistered');
  });

  it.each([
    ['success', [claimed, begun, completed], null],
    ['failure', [failed], ERROR],
    ['canceled', [canceled], null],
    ['canceled', [claimed, canceled, failed], ERROR],
    ['canceled', [claimed, canceled, stopped('timeout')], null],
    ['success', [handedOff, lost, reconciled('success')], null],
    ['failure', [handedOff, lost, reconciled('failure')], ERROR],
    ['deleting', [claimed, deleted], null],
  ] as const)('has an end in %s', (status, steps, error) => {
    const row = rowAfter(created, ...steps);
    expect(row).toMatchObject({ status, error, endedAt: at(steps.length) });
  });

  it('begins when it is found at work, where nothing says when it began', () => {
    const steps = [created, claimed, canceled, lost, reconciled('managed')];
    const { state } = after(...steps);
    expect(rowAfter(...steps)).toMatchObject({ status: 'managed', startedAt: at(4) });
    expect(common(rowAfter(...steps))).toStrictEqual(common(state));
  });

  it('shows why a job failed, until the next one is queued', () => {
    expect(rowAfter(created, failed, synced)).toMatchObject({ error: null, endedAt: null });
    expect(rowAfter(created, deleted, purgeFailed)).toMatchObject({
      status: 'delete_job_failure',
      error: ERROR,
    });
  });

  it('hears whoever runs the job, not the schedule and not the caller', () => {
    expect(rowAfter(created, handedOff, progressed)).toMatchObject({ heardAt: at(2) });
    expect(rowAfter(created, handedOff, progressed, ticked())).toMatchObject({ heardAt: at(2) });
    expect(rowAfter(created, handedOff, progressed, canceled)).toMatchObject({ heardAt: at(2) });
  });
});
