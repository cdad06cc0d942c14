import { setTimeout as sleep } from 'node:timers/promises';
import { runThatIs, started } from '../../tests/support/agents.ts';
import type { ModelProvider } from '../../tests/support/model-provider.ts';
import type { Result, Run } from '../bench.ts';
import { processorTimeOfTree } from '../measuring/processor-time.ts';
import { startAll } from './first-event.ts';

const TARGET = 1.5;
/** Runs that are measured together. */
const TOGETHER = 40;

/** The last runs of a long thread, each of which has all earlier ones before it, beside the first ones. */
export const chainOfRuns = async (run: Run, provider: ModelProvider): Promise<Result> => {
  const service = await startAll(run, provider);
  const used = (): number => 1_000 * (processorTimeOfTree(service.child.pid!) ?? Number.NaN);
  let threadId: string | undefined;
  const msOfNext = async (): Promise<number> => {
    const before = used();
    for (let nth = 0; nth < TOGETHER; nth++) {
      const place = threadId === undefined ? {} : { thread_id: threadId };
      const { thread_id: id, run_id: runId } = await started(service, `And question ${nth} then?`, place);
      threadId ??= id;
      // Few questions about it, which cost too.
      await sleep(150);
      await runThatIs(service, runId);
    }
    return (used() - before) / TOGETHER;
  };
  // Code is compiled in a thread of its own.
  await msOfNext();
  threadId = undefined;
  const all: number[] = [];
  for (let nth = 0; nth < (run.quick ? 2 : 5); nth++) all.push(await msOfNext());
  all.push(await run.profiling.profiledIn(service, msOfNext));
  const [rival, ours] = [all[0]!, all.at(-1)!];
  const ratio = ours / rival;
  return {
    bench: 'agent chain of runs',
    ratio,
    ours,
    rival,
    unit: 'ms of processor time',
    measured: 'over HTTP',
    target: `<= ${TARGET}`,
    met: ratio <= TARGET,
    runs: all.length * TOGETHER,
    all: all.map(Math.round),
    rival_is: `the first ${TOGETHER} runs of the same thread`,
  };
};
