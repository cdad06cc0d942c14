import { type SqlDatabase, createDatabase } from '../../adapters/postgres/database.ts';
import { migrate } from '../../adapters/postgres/migrations/runner.ts';
import { snapshotMigrations } from '../../adapters/postgres/snapshots/migration.ts';
import { createSnapshotStore } from '../../adapters/postgres/snapshots/snapshot-store.ts';
import type { SnapshotStore } from '../../application/ports/snapshot-store.ts';
import type { Bench, Result, Run } from '../bench.ts';
import { openEventLog } from '../events/event-log.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { longStreams } from './long-streams.ts';
import { type Process, startProcess, type Step, STEPS } from './writes.ts';

const TARGET = 1.5;
const SHORT = 100;
const LONG = 50_000;

/**
 * Writes of a tenant whose streams have 50,000 events beside those of one whose streams have 100, in process, on the
 * same server: by a process that has written to them before, and by one that has just started.
 */
export const historyBench: Bench = {
  name: 'history',
  needs: [],
  measure: async function* measure({ quick, cleanup }: Run) {
    const { address, store } = await openEventLog(cleanup);
    const database: SqlDatabase = createDatabase({ ...address, poolSize: 2 });
    cleanup.defer(database.close);
    await migrate(database.pool, snapshotMigrations);
    await database.pool.query('ANALYZE');
    const snapshots: SnapshotStore = createSnapshotStore(database.db);
    const [long, short] = [await longStreams(store, quick ? 3_000 : LONG), await longStreams(store, SHORT)];
    const start = () =>
      [startProcess(store, snapshots, long), startProcess(store, snapshots, short)] as const;

    const running = start();
    // What a tenant's first process writes down is there for the next.
    for (const process of running) for (const step of STEPS) await timed(process, step);
    for (const { settled } of running) await settled();
    await database.pool.query('ANALYZE');

    const rounds = quick ? 3 : 40;
    for (const step of STEPS) yield await measured(step, 'running', rounds, () => running);
    for (const step of STEPS) yield await measured(step, 'just started', quick ? 2 : 12, start);
  },
};

const measured = async (
  step: Step,
  process: 'running' | 'just started',
  rounds: number,
  processes: () => readonly [Process, Process],
): Promise<Result> => {
  const ours = () => timed(processes()[0], step);
  const rival = () => timed(processes()[1], step);
  const { runs: _, ...told } = await sideBySide(rounds, ours, rival);
  return {
    bench: 'history',
    write: step,
    process,
    ...told,
    measured: 'in process',
    unit: 'ms at 50,000 events over ms at 100',
    target: `<= ${TARGET}`,
    met: told.ratio <= TARGET,
  };
};

/** Milliseconds of one write; what must be so before it is done first, by another process. */
const timed = async (process: Process, step: Step): Promise<number> => {
  await process.prepare(step);
  const begun = performance.now();
  await process.writes[step]();
  return performance.now() - begun;
};
