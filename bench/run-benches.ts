import { availableParallelism, loadavg } from 'node:os';
import { agentBench } from './agent/agent.ts';
import type { Bench, Result } from './bench.ts';
import { completionsBench } from './completions/completions.ts';
import { consoleBench } from './console/frames.ts';
import { crawlBench } from './crawl/crawl.ts';
import { eventLoopBench } from './event-loop/event-loop.ts';
import { appendBench } from './events/append.ts';
import { catchUpBench } from './events/catch-up.ts';
import { eventStoreBench } from './events/event-store.ts';
import { eventstoredbBench } from './events/eventstoredb.ts';
import { serviceOnEventstoredbBench } from './events/service-on-eventstoredb.ts';
import { createProfiling } from './measuring/profiling.ts';
import { readsBench } from './reads/reads.ts';
import { replayBench } from './replay/replay.ts';
import { searchOpenSearchBench } from './search/search-opensearch.ts';
import { searchBench, searchGrowthBench } from './search/search.ts';
import { soakBench } from './memory/soak.ts';
import { sourcesBench } from './sources/sources.ts';
import { uploadBench } from './upload/upload.ts';

const BENCHES: readonly Bench[] = [
  agentBench,
  appendBench,
  catchUpBench,
  completionsBench,
  consoleBench,
  crawlBench,
  eventLoopBench,
  eventStoreBench,
  eventstoredbBench,
  readsBench,
  replayBench,
  searchBench,
  searchGrowthBench,
  searchOpenSearchBench,
  soakBench,
  sourcesBench,
  serviceOnEventstoredbBench,
  uploadBench,
];

export interface Options {
  readonly quick: boolean;
  readonly profile: boolean;
}

/** Runs the named benches, all without a name, one after another; answers the exit code. A missed target is no error. */
export const runBenches = async (names: readonly string[], options: Options): Promise<number> => {
  const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    console.error(`there is no bench "${unknown}", only ${BENCHES.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  let exitCode = 0;
  for (const bench of BENCHES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const missing = bench.needs.filter((name) => !isInstalled(name));
    try {
      if (missing.length > 0)
        throw new Error(`${missing.join(', ')} is not installed: run "npm run bench:setup"`);
      await runBench(bench, options);
    } catch (error) {
      console.error(`${bench.name}: ${(error as Error).message}`);
      exitCode = 1;
    }
  }
  return exitCode;
};

const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
};

const runBench = async (bench: Bench, { quick, profile }: Options): Promise<void> => {
  await using cleanup = new AsyncDisposableStack();
  const onSignal = (): void => {
    void cleanup.disposeAsync().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, onSignal);
  cleanup.defer(() => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  });
  // Before the bench begins: afterwards it is its own load.
  const load1 = round(loadavg()[0] ?? 0);
  const profiling = await createProfiling(bench.name, profile);
  for await (const result of bench.measure({ quick, profiling, cleanup })) {
    print(result, { load1, ...(quick && { quick }), ...(profile && { profile }) });
  }
  await cleanup.disposeAsync();
  await profiling.report();
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const print = (
  { bench, ratio, ours, rival, unit, measured, target, met, ...details }: Result,
  run: { readonly load1: number; readonly quick?: true; readonly profile?: true },
): void => {
  const machine = { node: process.version, cpus: availableParallelism(), ...run };
  const told = {
    bench,
    ratio: round(ratio),
    ours: round(ours),
    rival: round(rival),
    unit,
    measured,
    target,
    met,
  };
  console.log(JSON.stringify({ ...told, ...machine, ...details }));
};

const round = (value: number): number => Math.round(value * 100) / 100;
