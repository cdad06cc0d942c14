import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULTS, type Found } from './faults.ts';
import { openStore, type StoreName } from './store.ts';
import { stress, type StressResult } from './stress.ts';

export interface RunOptions {
  readonly store: StoreName;
  readonly seed: number;
  /** How long the clients write. */
  readonly seconds: number;
}

const SHOWN = 20;

/** Runs the stress on servers of its own; progress to standard error, one line of JSON to standard output. */
export const runStress = async ({ store: name, seed, seconds }: RunOptions): Promise<number> => {
  const began = performance.now();
  const elapsed = (): number => Math.round((performance.now() - began) / 100) / 10;
  const tell = (line: string): void => console.error(`${elapsed().toFixed(1).padStart(6)} s  ${line}`);
  await using cleanup = new AsyncDisposableStack();
  const onSignal = (): void => {
    void cleanup.disposeAsync().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  tell(`seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'knowledger-stress-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const store = await openStore(name, join(folder, 'postgres'));
  cleanup.defer(store.close);
  const dataDir = join(folder, 'service');
  await mkdir(dataDir);
  const result = await stress({
    store,
    dataDir,
    seed,
    seconds,
    clients: 6,
    maxCrawls: 24,
    everyMs: [1_500, 4_500],
    freezes: 0.25,
    restMs: 300_000,
    tell,
    cleanup,
  });
  const ok = report(result.found);
  print(name, seed, elapsed(), ok, result);
  return ok ? 0 : 1;
};

/** Tells the first of every kind of fault; answers whether there is none. */
const report = (found: Found): boolean => {
  for (const fault of FAULTS) {
    for (const line of found[fault].slice(0, SHOWN)) console.error(`${fault}: ${line}`);
    const more = found[fault].length - SHOWN;
    if (more > 0) console.error(`${fault}: and ${more} more`);
  }
  return FAULTS.every((fault) => found[fault].length === 0);
};

const print = (
  store: StoreName,
  seed: number,
  seconds: number,
  ok: boolean,
  { found, ...figures }: StressResult,
): void => {
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, found[fault].length]));
  console.log(JSON.stringify({ stress: 'roles', store, seconds, ...figures, ...faults, ok, seed }));
};
