import type { Bench, Run } from '../bench.ts';
import { openEventLog } from '../events/event-log.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { longStreams } from './long-streams.ts';
import { type Process, startProcess, type Step, STEPS } from './writes.ts';

const TARGET = 1.5;
/** Milliseconds that the first write of a process to a long stream may take: it reads the whole stream. */
const FIRST_WRITE_MS = 1_000;
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
    const { store } = await openEventLog(cleanup);
    const [long, short] = [await longStreams(store, quick ? 3_000 : LONG), await longStreams(store, SHORT)];
    const start = () => [startProcess(store, long), startProcess(store, short)] as const;

    const running = start();
    for (const process of running) for (const step of STEPS) await timed(process, step);

    const rounds = quick ? 3 : 40;
    for (const step of STEPS) {
      const found = await measured(step, 'running', rounds, () => running);
      yield { ...found, target: `<= ${TARGET} times`, met: found.ratio <= TARGET };
    }
    for (const step of STEPS) {
      const found = await measured(step, 'just started', quick ? 2 : 7, start);
      yield { ...found, target: `<= ${FIRST_WRITE_MS} ms`, met: found.ours <= FIRST_WRITE_MS };
    }
  },
};

const measured = async (
  step: Step,
  process: 'running' | 'just started',
  rounds: number,
  processes: () => readonly [Process, Process],
) => {
  const ours = () => timed(processes()[0], step);
  const rival = () => timed(processes()[1], step);
  const { runs: _, ...told } = await sideBySide(rounds, ours, rival);
  return {
    bench: 'history',
    write: step,
    process,
    ...told,
    measured: 'in process' as const,
    unit: 'ms at 50,000 events over ms at 100',
  };
};

/** Milliseconds of one write; what must be so before it is done first, by another process. */
const timed = async (process: Process, step: Step): Promise<number> => {
  await process.prepare(step);
  const begun = performance.now();
  await process.writes[step]();
  return performance.now() - begun;
};
