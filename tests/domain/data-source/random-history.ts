import fc from 'fast-check';
import { type DataSourceState, dataSource } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import {
  begun,
  canceled,
  claimed,
  completed,
  COUNTS,
  created,
  createdWaiting,
  deleted,
  failed,
  handedOff,
  holderOf,
  type JobHistory,
  lost,
  progressed,
  purged,
  purgeFailed,
  reconciled,
  retried,
  START,
  type Step,
  stopped,
  synced,
  ticked,
} from './job-steps.ts';
import { cellAt, CELLS, rowOf } from './transition-table.ts';

/** A report whose total is not the sum of its parts. */
const recounted: Step = (state, time) => ({
  type: 'progress',
  ...holderOf(state),
  counts: { ...COUNTS, seen: 7, failed: 5 },
  at: time,
});

/** The commands of the table by column; a column may stand for several commands. */
const STEPS: Readonly<Record<string, readonly Step[]>> = {
  enqueue: [synced],
  claim: [claimed],
  hand_off: [handedOff],
  begin: [begun],
  progress: [progressed, recounted],
  complete: [completed],
  fail: [failed],
  retry: [retried('worker_lost'), retried('transient_error'), retried('timed_out')],
  cancel: [canceled],
  cancel_done: [stopped('worker'), stopped('timeout')],
  delete: [deleted],
  delete_done: [purged],
  delete_failed: [purgeFailed],
  lost: [lost],
  reconcile: (['managed', 'success', 'failure', 'canceled'] as const).map(reconciled),
};

/** One choice per step: which command, which of its forms, and how long it waits. */
export interface Choice {
  readonly kind: 'possible' | 'any' | 'tick' | 'stale' | 'worker_stopped';
  readonly pick: number;
  readonly form: number;
  readonly wait: number;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constant('possible' as const) },
    { weight: 6, arbitrary: fc.constant('any' as const) },
    { weight: 1, arbitrary: fc.constant('tick' as const) },
    { weight: 1, arbitrary: fc.constant('stale' as const) },
    { weight: 1, arbitrary: fc.constant('worker_stopped' as const) },
  ),
  pick: fc.noBias(fc.nat(10_000)),
  form: fc.noBias(fc.nat(10_000)),
  // Long enough for back-off and progress most of the time, and sometimes not.
  wait: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 60_000, max: 120_000 }) },
    { weight: 1, arbitrary: fc.nat(12_000) },
  ),
});
export const choices = fc.array(choice, { maxLength: 40, size: 'max' });
/** Long enough for late attempts and generations. */
export const longChoices = fc.array(choice, { minLength: 40, maxLength: 60 });

/** A step of a random history: the command, what it met, and what came of it. */
export interface Taken extends Pick<Choice, 'kind' | 'wait'> {
  /** The column of the table, when the command is one of those that the table speaks of. */
  readonly column: string | null;
  readonly command: ReturnType<Step>;
  readonly before: DataSourceState;
  readonly events: JobHistory['events'];
  /** Null: not refused. */
  readonly refusal: string | null;
}

const at = <T>(items: readonly T[], pick: number): T => items[pick % items.length] as T;

/** Weights of what is possible. Deletion ends a history; the late attempts must be reached before it. */
const WEIGHTS: Readonly<Record<string, number>> = { retry: 30, claim: 16, delete: 1, cancel: 4, fail: 2 };

const weightOf = (column: string, state: DataSourceState, possibleOnly: boolean): number => {
  if (possibleOnly || column === 'delete') return WEIGHTS[column] ?? 8;
  return columnIn(column, state) === 'exhausted' ? 24 : 3;
};

/** Chooses a column, each as often as it weighs; null when there is none. */
const columnFor = (pick: number, state: DataSourceState, possibleOnly: boolean): string | null => {
  const row = rowOf(state);
  const columns = COLUMNS.filter((column) => !possibleOnly || leadsOn(row, column));
  const weights = columns.map((column) => weightOf(column, state, possibleOnly));
  let left =
    pick %
    Math.max(
      1,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
  return columns.find((_, i) => (left -= weights[i] ?? 0) < 0) ?? null;
};
const COLUMNS = Object.keys(STEPS);
const leadsOn = (row: string, column: string): boolean => !['·', '404', '='].includes(cellAt(row, column));

const stepOf = ({ kind, pick, form }: Choice, state: DataSourceState): readonly [string | null, Step] => {
  if (state.status === 'none' && kind === 'possible') {
    return ['enqueue', form % 3 === 0 ? createdWaiting : created];
  }
  switch (kind) {
    case 'tick':
      return [null, ticked(form % 4 === 0 ? START : undefined)];
    case 'worker_stopped':
      return [null, retried('worker_stopped')];
    case 'stale':
      return [null, stale(form)];
    case 'possible':
    case 'any': {
      // Nothing leads on from a removed data source: anything is tried on it.
      const column =
        (kind === 'possible' ? columnFor(pick, state, true) : null) ??
        columnFor(pick, state, false) ??
        'cancel';
      return [columnIn(column, state), at(STEPS[column] ?? [], form)];
    }
  }
};

/** `retry` at the last attempt is the column `exhausted`. */
const columnIn = (column: string, state: DataSourceState): string =>
  column === 'retry' && state.status !== 'none' && state.job.attempt === 3 ? 'exhausted' : column;

/** A write of somebody who held the data source before, or never. */
const stale = (form: number): Step => {
  const write = at([begun, progressed, completed, failed, retried(), stopped()], form);
  return (state, time) => {
    const { epoch, jobId } = holderOf(state);
    const former = form % 2 === 0 ? { epoch: epoch - 1, jobId } : { epoch, jobId: `${jobId}-former` };
    return { ...write(state, time), ...former };
  };
};

/** Plays the choices; refused commands leave the history as it is. */
export const play = (
  chosen: readonly Choice[],
): { readonly history: JobHistory; readonly taken: readonly Taken[] } => {
  let history: JobHistory = { events: [], state: dataSource.initial };
  let time = START;
  const taken: Taken[] = [];
  for (const one of chosen) {
    time += one.wait;
    const { state: before } = history;
    const [column, step] = stepOf(one, before);
    const command = step(before, time);
    const { events, refusal } = attempt(command, before);
    taken.push({ kind: one.kind, wait: one.wait, column, command, before, events, refusal });
    history = { events: [...history.events, ...events], state: fold(dataSource, events, before) };
  }
  return { history, taken };
};

const attempt = (command: ReturnType<Step>, state: DataSourceState): Pick<Taken, 'events' | 'refusal'> => {
  try {
    return { events: dataSource.decide(command, state), refusal: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { events: [], refusal: error.code };
  }
};

/** Cells that no history can reach: there is no third attempt before the first claim. */
const UNREACHABLE = new Set(['(none)/exhausted', 'not_started/exhausted']);
export const REACHABLE: readonly string[] = CELLS.map(([from, command]) => `${from}/${command}`).filter(
  (cell) => !UNREACHABLE.has(cell),
);
