import { availableParallelism, totalmem } from 'node:os';
import { type Environment, integer } from './environment.ts';

export interface SearchConfig {
  /** Memory that the index of searches may take in a process, all its threads together. */
  readonly memoryBytes: number;
  /** That search; 0: searches run where requests are answered. */
  readonly threads: number;
}

const MB = 1_024 ** 2;
/** What a thread should have for its index at least, in MiB. */
const OF_THREAD = 256;

/**
 * An eighth of the memory that the process may have, in MiB; at least 256, and at most 8192. What a container allows
 * counts where it is less than the machine has; 0 says that nothing is known of one.
 */
export const searchMemoryMb = (machineBytes: number, containerBytes: number): number => {
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes;
  return Math.min(Math.max(Math.floor(bytes / 8 / MB), 256), 8_192);
};

/** One for each processor but one, which serves meanwhile; at most 4, and as many as there is memory for. */
export const searchThreads = (processors: number, memoryMb: number): number =>
  Math.min(processors - 1, 4, Math.floor(memoryMb / OF_THREAD));

/** @throws ConfigError */
export const readSearch = (env: Environment): SearchConfig => {
  const usual = searchMemoryMb(totalmem(), process.constrainedMemory());
  const memoryMb = integer(env, 'KNOWLEDGER_SEARCH_MEMORY_MB', usual, 16, 1_048_576);
  const threads = searchThreads(availableParallelism(), memoryMb);
  return {
    memoryBytes: memoryMb * MB,
    threads: integer(env, 'KNOWLEDGER_SEARCH_THREADS', threads, 0, 64),
  };
};
