import { type JobCounts, progressIsDue } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import type { ClaimDeps, Report } from './claim-job.ts';
import type { Job } from './job.ts';

/** What a claimed job tells of its progress. */
export interface ProgressReports {
  readonly begin: Job['begin'];
  /** Tells the counts if that is due; otherwise `tellLate` does. @throws WorkLost */
  readonly progress: (counts: JobCounts, assertLeaseHeld: () => void) => Promise<void>;
  /** Tells in time what was not yet due: the next counts may be long in coming. Ends when the signal aborts; never rejects. */
  readonly tellLate: (assertLeaseHeld: () => void, signal: AbortSignal) => Promise<void>;
  /** The newest counts of the work. */
  readonly counted: () => JobCounts | undefined;
}

const POLL_MS = 1_000;

/** Reports only what the domain would record, so that each report is one event. */
export const createProgressReports = ({
  clock,
  sleep,
  log,
  report,
}: Pick<ClaimDeps, 'clock' | 'sleep' | 'log'> & { readonly report: Report }): ProgressReports => {
  let startedAt: number | null = null;
  let progressedAt: number | null = null;
  let newest: JobCounts | undefined;
  let told: JobCounts | undefined;
  const isDue = (): boolean => startedAt === null || progressIsDue({ startedAt, progressedAt }, clock.now());
  const tell = async (counts: JobCounts, assertLeaseHeld: () => void): Promise<void> => {
    [told, progressedAt] = [counts, clock.now()];
    await report({ type: 'progress', counts }, assertLeaseHeld).catch(lost);
  };
  return {
    begin: async () => {
      await report({ type: 'begin' }).catch(lost);
      startedAt = clock.now();
    },
    progress: async (counts, assertLeaseHeld) => {
      newest = counts;
      if (isDue()) await tell(counts, assertLeaseHeld);
    },
    tellLate: async (assertLeaseHeld, signal) => {
      try {
        for (;;) {
          await sleep(POLL_MS, signal);
          if (signal.aborted) return;
          if (newest !== undefined && newest !== told && isDue()) await tell(newest, assertLeaseHeld);
        }
      } catch (error) {
        // The work learns of a loss by its own next call.
        if (!(error instanceof WorkLost)) log.warn('progress not told', { error: String(error) });
      }
    },
    counted: () => newest,
  };
};

const lost = (error: unknown): never => {
  if (error instanceof DomainError) throw new WorkLost(error.message);
  throw error;
};
