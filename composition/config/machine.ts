import { availableParallelism, totalmem } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import {
  type BrowserProgram,
  findInstalled,
  findPacked,
  isProgram,
  PACKAGE,
} from '../../adapters/crawler/browser/program.ts';
import { ConfigError } from './environment.ts';
import type { Given } from './variables.ts';

interface Found {
  /** Null: there is none. */
  readonly program: BrowserProgram | null;
  /** Why there is none, and what to do about it. */
  readonly missing: string;
}

/**
 * Nothing is started here.
 *
 * @throws ConfigError where a path is named and no program is there
 */
export const findBrowser = (named: string | undefined, path = ''): Found => {
  const or = 'and start the service again, or send false';
  if (named === 'off')
    return { program: null, missing: `KNOWLEDGER_BROWSER=off switches it off here: unset it ${or}` };
  if (named !== undefined) {
    if (isAbsolute(named) && isProgram(named))
      return { program: { kind: 'installed', path: named }, missing: '' };
    throw new ConfigError('KNOWLEDGER_BROWSER takes the absolute path of Chromium or Chrome, or off');
  }
  const missing =
    'none was found on this machine: install chromium-headless-shell (Debian), Chromium or Chrome, or ' +
    `the npm package ${PACKAGE}, or name one in KNOWLEDGER_BROWSER, ${or}`;
  return { program: findInstalled(path) ?? findPacked(), missing };
};

/** Undefined: there is none. @throws ConfigError where a path is named and no program is there */
export const findFfmpeg = (named: string | undefined, path = ''): string | undefined => {
  if (named !== undefined) {
    if (isAbsolute(named) && isProgram(named)) return named;
    throw new ConfigError('KNOWLEDGER_FFMPEG takes the absolute path of ffmpeg');
  }
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, 'ffmpeg')).find(isProgram);
};

const MB = 1_024 ** 2;
/** What a thread should have for its index at least, in MiB. */
const OF_THREAD = 256;

/**
 * An eighth of the memory that the process may have, in MiB; at least 256, and at most 8192. What a container allows
 * counts where it is less than the machine has; 0 says that nothing is known of one.
 */
const searchMemoryMb = (machineBytes: number, containerBytes: number): number => {
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes;
  return Math.min(Math.max(Math.floor(bytes / 8 / MB), 256), 8_192);
};

/** One for each processor but one, which serves meanwhile; at most 4, and as many as there is memory for. */
const searchThreads = (processors: number, memoryMb: number): number =>
  Math.min(processors - 1, 4, Math.floor(memoryMb / OF_THREAD));

export const search = (given: Pick<Given, 'KNOWLEDGER_SEARCH_MEMORY_MB' | 'KNOWLEDGER_SEARCH_THREADS'>) => {
  const usual = searchMemoryMb(totalmem(), process.constrainedMemory());
  const memoryMb = given.KNOWLEDGER_SEARCH_MEMORY_MB ?? usual;
  return {
    /** Memory that the index of searches may take in a process, all its threads together. */
    memoryBytes: memoryMb * MB,
    /** That search; 0: searches run where requests are answered. */
    threads: given.KNOWLEDGER_SEARCH_THREADS ?? searchThreads(availableParallelism(), memoryMb),
  };
};
