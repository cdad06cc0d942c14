import type { Schedule } from '../../domain/ingestion-setting/index.ts';
import type { RecurrenceRefusal } from '../../domain/recurrence/recurrence-rule.ts';

/** All instants are milliseconds since 1970-01-01T00:00:00Z; occurrences fall on whole seconds. */
export interface OccurrenceQuery {
  /** A text that `parseRecurrenceRule` accepts. A DTSTART in it overrides `start`. */
  readonly rule: string;
  /** The DTSTART of a rule that has none: when the schedule was created, truncated to the second. */
  readonly start: number;
  /** The time zone of `start` and of a rule that names none; default UTC. */
  readonly zone?: string;
  /** exclusive */
  readonly after: number;
  /** Exclusive. Absent: up to the horizon. */
  readonly before?: number;
  /** 1 to `MAX_OCCURRENCES`. */
  readonly limit: number;
}

export const MAX_OCCURRENCES = 50_000;

export type Occurrences =
  | { readonly ok: true; readonly at: readonly number[] }
  /** `invalid`: the rule or zone is refused for the reason in `refusal`. `too_costly`: the evaluation took too long. */
  | {
      readonly ok: false;
      readonly reason: 'invalid';
      readonly refusal: RecurrenceRefusal;
      readonly message: string;
    }
  | { readonly ok: false; readonly reason: 'too_costly'; readonly message: string };

/**
 * Evaluates recurrence rules (RFC 5545, 3.3.10) without ever blocking the event loop.
 *
 * The answer depends only on the query and the time zone database: it reads no clock. An early `start` costs nothing,
 * except with COUNT, which is counted from there.
 *
 * - Occurrences are the instants, from the start on, that match the rule. A start that does not match is not an
 * occurrence and does not count towards COUNT (RFC 5545 leaves this undefined).
 * - The start supplies what the rule leaves open (day, time of day).
 * - A local time that does not exist is skipped and not counted; a local time that exists twice means the first one
 * (RFC 5545, 3.3.5 and 3.3.10). HOURLY counts hours on the local clock.
 * - UNTIL is inclusive.
 * - Occurrences more than 100 years after both `after` and the start are not searched.
 */
export interface Recurrence {
  /** The first `limit` occurrences within the open interval (`after`, `before`), ascending. */
  occurrences(query: OccurrenceQuery): Promise<Occurrences>;
  /** Stops evaluation; running and later calls reject. */
  close(): Promise<void>;
}

/** A schedule that is due, or whose next occurrence is not computed yet. */
export interface DueSchedule {
  readonly ingestionSettingId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly schedule: Schedule;
  readonly settingRevision: bigint;
  /** Unix milliseconds; null: not computed since the setting last changed. */
  readonly nextDue: number | null;
  /** The data source has handled every occurrence up to this instant; 0: none. */
  readonly tickedUntil: number;
}

export interface DueSchedules {
  /**
   * Schedules that are due at `now` or not computed yet, without those of data sources that are being deleted, up to
   * `limit`.
   */
  readonly due: (now: number, limit: number) => Promise<readonly DueSchedule[]>;
  /** Stores the next occurrence of a setting as of that revision; null: none follows. */
  readonly plan: (
    ingestionSettingId: string,
    settingRevision: bigint,
    nextDue: number | null,
  ) => Promise<void>;
  /** Deletes the plan of a data source that is being deleted. */
  readonly forget: (dataSourceId: string) => Promise<void>;
}
