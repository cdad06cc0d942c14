import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../tests/support/service.ts';
import { costsOf } from './profile-costs.ts';

/** Looks at where our side spends its processor time. Without `--profile` it only runs what it is given. */
export interface Profiling {
  /** For programs that are to be looked at. */
  readonly env: { readonly [name: string]: string };
  /** Runs something of this process under the profiler. */
  readonly profiled: <T>(run: () => Promise<T>) => Promise<T>;
  /** Has the profiler run in a program that was started with `env`, while `run` goes on here. */
  readonly profiledIn: <T>(program: Service, run: () => Promise<T>) => Promise<T>;
  /** Prints the dearest functions and files of all profiles on standard error. */
  readonly report: () => Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RECORDER = fileURLToPath(new URL('record-profile.mjs', import.meta.url));

export const createProfiling = async (bench: string, wanted: boolean): Promise<Profiling> => {
  const nothing = <T>(run: () => Promise<T>): Promise<T> => run();
  if (!wanted) {
    return { env: {}, profiled: nothing, profiledIn: (_, run) => run(), report: async () => {} };
  }
  const folder = join(ROOT, 'reports', 'profiles', bench);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return {
    env: { NODE_OPTIONS: `--import=${RECORDER}`, BENCH_PROFILES: folder },
    profiled: createProfiler(folder),
    profiledIn: async ({ child }, run) => {
      const before = await profilesIn(folder);
      child.kill('SIGWINCH');
      const result = await run();
      child.kill('SIGWINCH');
      // A large profile takes its time to be written.
      for (let tries = 0; tries < 600 && (await profilesIn(folder)) === before; tries++) await sleep(50);
      return result;
    },
    report: async () => {
      for (const line of await costsOf(folder, ROOT)) console.error(line);
    },
  };
};

const profilesIn = async (folder: string): Promise<number> =>
  (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).length;

const createProfiler = (folder: string): Profiling['profiled'] => {
  const session = new Session();
  session.connect();
  let count = 0;
  return async (run) => {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    const result = await run();
    const { profile } = await session.post('Profiler.stop');
    await writeFile(join(folder, `${(count += 1)}.cpuprofile`), JSON.stringify(profile));
    return result;
  };
};
