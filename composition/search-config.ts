import { totalmem } from 'node:os';
import { type Environment, integer } from './environment.ts';

export interface SearchConfig {
  /** Memory that the index of searches may take in a process. */
  readonly memoryBytes: number;
}

/**
 * An eighth of the memory that the process may have, in MiB; at least 256, and at most 8192. What a container allows
 * counts where it is less than the machine has; 0 says that nothing is known of one.
 */
export const searchMemoryMb = (machineBytes: number, containerBytes: number): number => {
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes;
  return Math.min(Math.max(Math.floor(bytes / 8 / 1_024 ** 2), 256), 8_192);
};

/** @throws ConfigError */
export const readSearch = (env: Environment): SearchConfig => {
  const usual = searchMemoryMb(totalmem(), process.constrainedMemory());
  return { memoryBytes: integer(env, 'KNOWLEDGER_SEARCH_MEMORY_MB', usual, 16, 1_048_576) * 1_024 ** 2 };
};
