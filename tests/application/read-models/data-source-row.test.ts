import type { DataSourceRow } from '../../../application/ports/data-source-view.ts';
import { chunkMetadata } from '../../../application/read-models/source-contents.ts';
import {
  type RowContext,
  dataSourceRow,
  dataSourceRowOf,
  dataSourceRowOfUnknown,
} from '../../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { rowIn, withRow } from '../../../application/read-models/with-row.ts';
import { type DataSourceEvent, type DataSourceState, dataSource } from '../../../domain/data-source/index.ts';
import {
  ERROR,
  START,
  STEP_MS,
  type Step,
  after,
  begun,
  canceled,
  claimed,
  created,
  deleted,
  failed,
  handedOff,
  lost,
  progressed,
  reconciled,
  retried,
  ticked,
} from '../../domain/data-source/job-steps.ts';
import { choices, play } from '../../domain/data-source/random-history.ts';
import { EXAMPLES } from '../event-sourcing/event-examples.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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

  it('begins when it is found at work, where nothing says when it began', () => {
    const steps = [created, claimed, canceled, lost, reconciled('managed')];
    const { state } = after(...steps);
    expect(rowAfter(...steps)).toMatchObject({ status: 'managed', startedAt: at(4) });
    expect(common(rowAfter(...steps))).toStrictEqual(common(state));
  });

  it('hears whoever runs the job, not the schedule and not the caller', () => {
    expect(rowAfter(created, handedOff, progressed)).toMatchObject({ heardAt: at(2) });
    expect(rowAfter(created, handedOff, progressed, ticked())).toMatchObject({ heardAt: at(2) });
    expect(rowAfter(created, handedOff, progressed, canceled)).toMatchObject({ heardAt: at(2) });
  });
});

const of = (revision: bigint) => ({ id: 'x', tenant: 'acme', revision });

describe('the row of a data source', () => {
  const [registered] = EXAMPLES.DataSourceRegistered;
  const [uploaded] = EXAMPLES.FilesUploaded;
  const first = dataSourceRow(null, registered!, of(0n))!;
  const later = first.heardAt + 50;

  it('tells when files were uploaded, and what their chunks may be filtered by, which says nothing of its worker', () => {
    const event = { ...uploaded!, at: later };
    const row = { ...first, uploadedAt: later, revision: 1n };
    expect(dataSourceRow(first, event, of(1n))).toStrictEqual(row);
    const chunkMetadataKeys = [{ key: 'page', type: 'integer' }] as const;
    expect(dataSourceRow(first, { ...event, chunkMetadataKeys }, of(1n))).toStrictEqual({
      ...row,
      subject: { kind: 'local_file_group', chunkMetadataKeys },
    });
  });

  it('cannot say what its status is after an event of a newer version', () => {
    const unknown: DataSourceRow = { ...first, status: 'unknown', revision: 1n };
    expect(dataSourceRowOfUnknown(first, 1n)).toStrictEqual(unknown);
    expect(dataSourceRowOfUnknown(first, 0n)).toBe(first);
    expect(dataSourceRowOfUnknown({ ...first, revision: 3n }, 1n)).toMatchObject({ status: first.status });
    expect(dataSourceRowOfUnknown(null, 1n)).toBeNull();
  });
});

it('the row of a setting holds its newest parameters', () => {
  const first = ingestionSettingRow(null, EXAMPLES.IngestionSettingCreated[0]!, of(0n))!;
  const [changed] = EXAMPLES.IngestionParametersChanged;
  const { parameters } = changed!;
  expect(ingestionSettingRow(first, changed!, of(1n))).toStrictEqual({ ...first, parameters, revision: 1n });
});

it('a chunk can be filtered by its page, by all headings above it, and by what its row has', () => {
  const row = { key: 'year', val: '2025', type: 'integer' } as const;
  const heading = (val: string) => ({ key: 'heading', val, type: 'string' });
  expect(chunkMetadata({ pageNumber: 3, headingPath: ['A', 'B'], metadata: [row] })).toEqual([
    { key: 'page_number', val: '3', type: 'integer' },
    heading('A'),
    heading('B'),
    row,
  ]);
  expect(chunkMetadata({ pageNumber: 0, headingPath: [] })).toEqual([]);
  expect(chunkMetadata({ pageNumber: 1, headingPath: [] })).toHaveLength(1);
});

it('a state with its row is folded of the same events, and tells whose row it is', () => {
  const decider = withRow(
    {
      category: 'count',
      initial: 0,
      decide: (by: number, state: number) => [state + by],
      evolve: (_before: number, event: number) => event,
    },
    (row: { revision: bigint; seen: number } | null, event: number, { revision }) =>
      event < 0 ? null : { revision, seen: (row?.seen ?? 0) + 1 },
  );
  expect(decider.initial).toEqual({ state: 0, row: null, next: 0 });
  const one = decider.evolve(decider.initial, 4);
  const two = decider.evolve(one, 7);
  expect(two).toEqual({ state: 7, row: { revision: 1n, seen: 2 }, next: 2 });
  expect(decider.decide(3, two)).toEqual([10]);
  expect(rowIn(two, 'c-1', 'acme')).toEqual({ revision: 1n, seen: 2, id: 'c-1', tenant: 'acme' });
  expect(rowIn(decider.evolve(two, -1), 'c-1', 'acme')).toBeNull();
});
