import type { JobCounts } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { RetryingExecute } from '../../event-sourcing/execute.ts';
import type { Logger } from '../../ports/logger.ts';
import type { StopReason } from '../../jobs/work-handler.ts';
import type { Report, UnnamedCommand } from './claim-job.ts';
import { type JobOutcome, loadDataSource } from './job.ts';

/** How the work on a job came to its end. */
export interface Ended {
  /** Null: it was broken off. */
  readonly outcome: JobOutcome | null;
  /** Why it was told to stop; null when it was not. */
  readonly stopReason: StopReason | null;
  /** What it had done by then, as far as it told. */
  readonly counts?: JobCounts;
}

export interface EndDeps {
  readonly execute: RetryingExecute;
  readonly log: Logger;
}

/**
 * Records how the work ended, and leaves nothing unanswered. Truth wins: what was finished before the word to stop
 * arrived counts as finished. Where there is nothing to record, or it is refused, the data source's stream says what
 * became of the job meanwhile: a cancel that this claim has not answered is answered now, whatever broke the work off.
 */
export const endJob = async (
  deps: EndDeps,
  dataSourceId: string,
  report: Report,
  ended: Ended,
): Promise<void> => {
  // The sweepers of the newer version take it up.
  if (ended.stopReason === 'outdated') return;
  const command = commandFor(ended);
  if (command !== null && (await isAccepted(deps, report, command))) return;
  const found = await loadDataSource(deps.execute, dataSourceId);
  if (found?.state.status !== 'canceling') return;
  // Of the claim of another worker it is refused: that one will answer.
  await isAccepted(deps, report, { type: 'cancel_done', by: 'worker', ...countsOf(ended) });
};

const isAccepted = async ({ log }: EndDeps, report: Report, command: UnnamedCommand): Promise<boolean> => {
  try {
    await report(command);
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.info('a late write was dropped', { command: command.type, reason: error.message });
    return false;
  }
};

const countsOf = ({ counts }: Ended) => (counts === undefined ? {} : { counts });

const commandFor = (ended: Ended): UnnamedCommand | null => {
  const { outcome, stopReason } = ended;
  const counts = countsOf(ended);
  if (stopReason === 'fenced' || stopReason === 'lease_lost' || stopReason === 'deleted') return null;
  if (outcome?.kind === 'completed') return { type: 'complete', counts: outcome.counts };
  if (stopReason === 'canceled') return { type: 'cancel_done', by: 'worker', ...counts };
  if (stopReason === 'shutdown') return { type: 'retry', reason: 'worker_stopped', ...counts };
  if (outcome === null) return null;
  if (outcome.kind === 'failed') return { type: 'fail', code: outcome.code, error: outcome.error, ...counts };
  const { kind: _, ...why } = outcome;
  return { type: 'retry', reason: 'transient_error', ...why, ...counts };
};
