import type { Schedule } from '../../../domain/ingestion-setting/index.ts';

export interface Scheduling {
  /**
   * Checks a rule and fixes its start.
   *
   * @throws DomainError invalid_rrule with the reason and what to do
   */
  readonly schedule: (rrule: string, at: number) => Promise<Schedule>;
  /** Instants (Unix milliseconds) after `after`, ascending, at most `limit`; empty when it never fires again. */
  readonly occurrences: (schedule: Schedule, after: number, limit: number) => Promise<readonly number[]>;
}
