import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Looks at where our side spends its processor time. Without `--profile` it does nothing. */
export interface Profiling {
  /** Makes a program that is started with it write a profile when it ends. */
  readonly env: { readonly [name: string]: string };
  /** Runs something of this process under the profiler. */
  readonly profiled: <T>(run: () => Promise<T>) => Promise<T>;
  /** Prints the dearest functions and files of all profiles on standard error. */
  readonly report: () => Promise<void>;
}

/** The part of a V8 profile that is looked at: https://chromedevtools.github.io/devtools-protocol/tot/Profiler */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export const createProfiling = (bench: string, wanted: boolean): Profiling => {
  if (!wanted) return { env: {}, profiled: (run) => run(), report: async () => {} };
  const folder = join(ROOT, 'reports', 'profiles', bench);
  const empty = rm(folder, { recursive: true, force: true }).then(() => mkdir(folder, { recursive: true }));
  let count = 0;
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
    profiled: async (run) => {
      await empty;
      using session = disposable(new Session());
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      const result = await run();
      const { profile } = await session.post('Profiler.stop');
      await writeFile(join(folder, `${(count += 1)}.cpuprofile`), JSON.stringify(profile));
      return result;
    },
    report: async () => {
      await empty;
      for (const line of await costs(folder)) console.error(line);
    },
  };
};

const disposable = (session: Session): Session & Disposable => {
  session.connect();
  return Object.assign(session, { [Symbol.dispose]: () => session.disconnect() });
};

const TOP = 30;
const NOT_WORK = new Set(['(root)', '(idle)', '(program)']);

const costs = async (folder: string): Promise<readonly string[]> => {
  const functions = new Map<string, number>();
  const files = new Map<string, number>();
  let all = 0;
  for (const name of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile;
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const [i, id] of (profile.samples ?? []).entries()) {
      const frame = frames.get(id);
      const microseconds = profile.timeDeltas?.[i] ?? 0;
      if (frame === undefined || NOT_WORK.has(frame.functionName)) continue;
      all += microseconds;
      const file = fileOf(frame.url);
      add(functions, `${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`, microseconds);
      add(files, file, microseconds);
    }
  }
  const top = (title: string, sums: ReadonlyMap<string, number>): readonly string[] => [
    `${title}, self time of ${(all / 1e6).toFixed(1)} s:`,
    ...[...sums]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, TOP)
      .map(([name, sum]) => `${((100 * sum) / all).toFixed(1).padStart(6)} %  ${name}`),
  ];
  return [...top('functions', functions), ...top('files', files)];
};

const add = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};

/** Relative to the project; all of a package's files under one name are told apart by their path. */
const fileOf = (url: string): string =>
  url === '' ? '(native)' : url.replace(/^file:\/\//, '').replace(ROOT, '');
