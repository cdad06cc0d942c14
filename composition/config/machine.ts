import { availableParallelism, totalmem } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import {
  type BrowserProgram,
  findInstalled,
  findBundled,
  isExecutable,
  BROWSER_PACKAGE,
} from '../../adapters/crawler/browser/program.ts';
import { ConfigError } from './environment.ts';
import type { Given } from './variables.ts';

interface Found {
  /** Null when there is none. */
  readonly program: BrowserProgram | null;
  /** Why there is none, and what to do about it. */
  readonly missing: string;
}

/** Looks for a browser; starts nothing. @throws ConfigError when the named path is not a program */
export const findBrowser = (named: string | undefined, path = ''): Found => {
  const or = 'and start the service again, or send false';
  if (named === 'off')
    return { program: null, missing: `KNOWLEDGER_BROWSER=off switches it off here: unset it ${or}` };
  if (named !== undefined) {
    if (isAbsolute(named) && isExecutable(named))
      return { program: { kind: 'installed', path: named }, missing: '' };
    throw new ConfigError('KNOWLEDGER_BROWSER takes the absolute path of Chromium or Chrome, or off');
  }
  const missing =
    'none was found on this machine: install chromium-headless-shell (Debian), Chromium or Chrome, or ' +
    `the npm package ${BROWSER_PACKAGE}, or name one in KNOWLEDGER_BROWSER, ${or}`;
  return { program: findInstalled(path) ?? findBundled(), missing };
};

/** Undefined when there is none. @throws ConfigError when the named path is not a program */
export const findFfmpeg = (named: string | undefined, path = ''): string | undefined => {
  if (named !== undefined) {
    if (isAbsolute(named) && isExecutable(named)) return named;
    throw new ConfigError('KNOWLEDGER_FFMPEG takes the absolute path of ffmpeg');
  }
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, 'ffmpeg')).find(isExecutable);
};

const MB = 1_024 ** 2;
/** Memory for the index of one thread, in MiB, unless told: docs/figures.md has what more of it brings. */
const THREAD_MB = 144;

/**
 * An eighth of the memory that the process may use, in MiB; at least that of a thread. The container's limit counts when
 * it is below the machine's memory; 0 means that no limit is known.
 */
const maxSearchMemoryMb = (machineBytes: number, containerBytes: number): number => {
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes;
  return Math.max(Math.floor(bytes / 8 / MB), THREAD_MB);
};

/** One thread per processor except one, which serves requests; at most 4, and no more than memory allows. */
const searchThreads = (processors: number, memoryMb: number): number =>
  Math.min(processors - 1, 4, Math.floor(memoryMb / THREAD_MB));

export const search = (given: Pick<Given, 'KNOWLEDGER_SEARCH_MEMORY_MB' | 'KNOWLEDGER_SEARCH_THREADS'>) => {
  const maxMb =
    given.KNOWLEDGER_SEARCH_MEMORY_MB ?? maxSearchMemoryMb(totalmem(), process.constrainedMemory());
  const threads = given.KNOWLEDGER_SEARCH_THREADS ?? searchThreads(availableParallelism(), maxMb);
  const memoryMb = given.KNOWLEDGER_SEARCH_MEMORY_MB ?? Math.min(maxMb, Math.max(threads, 1) * THREAD_MB);
  return {
    /** Memory for the search index in a process, all threads together. */
    memoryBytes: memoryMb * MB,
    /** Search threads; 0 runs searches in the thread that serves requests. */
    threads,
  };
};
