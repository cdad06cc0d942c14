import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

const TOP = 30;
/** What is no work of the program, the profiler's own included. */
const NOT_WORK = /^\((?:root|idle|program)\)|node:inspector/;

/** The dearest functions and files by self time over all profiles of a folder, as lines; paths relative to `root`. */
export const costsOf = async (folder: string, root: string): Promise<readonly string[]> => {
  const functions = new Map<string, number>();
  const files = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile;
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const [i, id] of (profile.samples ?? []).entries()) {
      const { functionName = '', url = '', lineNumber = 0 } = frames.get(id) ?? {};
      const microseconds = profile.timeDeltas?.[i] ?? 0;
      const file = url === '' ? '(native)' : url.replace('file://', '').replace(root, '');
      const place = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
      if (NOT_WORK.test(place)) continue;
      add(functions, place, microseconds);
      add(files, file, microseconds);
    }
  }
  return [...dearest('functions', functions), ...dearest('files', files)];
};

const add = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};

const dearest = (title: string, sums: ReadonlyMap<string, number>): readonly string[] => {
  const all = sums.values().reduce((sum, value) => sum + value, 0);
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a);
  return [
    `${title}, self time of ${(all / 1e6).toFixed(1)} s:`,
    ...sorted.slice(0, TOP).map(([name, sum]) => `${((100 * sum) / all).toFixed(1).padStart(6)} %  ${name}`),
  ];
};
