import type { Logger } from '../ports/logger.ts';
import { type SweepDeps, sweepVault } from './sweep.ts';

export interface SweepsDeps extends SweepDeps {
  readonly log: Logger;
  /** Waits `ms`, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const EVERY_MS = 3_600_000;

/** Sweeps the vault now and every hour until aborted. Any number of processes may: what is gone is gone. Never rejects. */
export const runSweeps = async (deps: SweepsDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      const { keys, texts } = await sweepVault(deps, signal);
      if (keys + texts > 0) deps.log.info('deleted what crashes have left in the vault', { keys, texts });
    } catch (error) {
      deps.log.warn('the vault could not be swept', { error: (error as Error).message });
    }
    await deps.idle(EVERY_MS, signal);
  }
};
