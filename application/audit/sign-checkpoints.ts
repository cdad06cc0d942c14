import type { Clock } from '../ports/identity.ts';
import type { LogTree } from '../ports/log-tree.ts';
import type { Logger } from '../ports/logger.ts';
import type { CheckpointDeps, MakeCheckpoint } from './checkpoints.ts';

export interface SigningDeps extends Pick<CheckpointDeps, 'signer'> {
  readonly tree: Pick<LogTree, 'grownSince'>;
  readonly makeCheckpoint: MakeCheckpoint;
  /** Has witnesses sign the newest checkpoints. Never rejects. */
  readonly witness: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How old the latest checkpoint of a log must be; 0: they are made on demand alone. */
  readonly everyMs: number;
}

/** How often it looks. */
const LOOK_MS = 60_000;

/** Signs a checkpoint of each log that has grown since its latest one, and has it witnessed, until `signal` aborts. */
export const signCheckpoints = async (deps: SigningDeps, signal: AbortSignal): Promise<void> => {
  const { tree, makeCheckpoint, clock, log, idle, everyMs } = deps;
  while (!signal.aborted) {
    try {
      const canSign = everyMs > 0 && (await deps.signer()) !== null;
      for (const tenant of canSign ? await tree.grownSince(clock.now() - everyMs) : []) {
        if (signal.aborted) return;
        await makeCheckpoint(tenant).catch((error: Error) =>
          log.error('a checkpoint was not signed', { tenant, error: error.message }),
        );
      }
    } catch (error) {
      log.warn('looking for logs that have grown failed', { error: (error as Error).message });
    }
    await deps.witness(signal);
    await idle(LOOK_MS, signal);
  }
};
