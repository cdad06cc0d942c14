import type { Schedule } from '../../domain/ingestion-setting/index.ts';
import type { RecurrenceRefusal } from '../../domain/recurrence/recurrence-rule.ts';

/** All instants are milliseconds since 1970-01-01T00:00:00Z; occurrences fall on whole seconds. */
export interface OccurrenceQuery {
  /** a text that `parseRecurrenceRule` accepts; the DTSTART in it, where there is one, wins over `start` */
  readonly rule: string;
  /** the instant that stands for DTSTART in a rule without one: when the schedule was made, cut to the second */
  readonly start: number;
  /** the time zone in which `start` and the rule are read where the rule names none; UTC when absent */
  readonly zone?: string;
  /** exclusive */
  readonly after: number;
  /** exclusive; absent means no end but the horizon */
  readonly before?: number;
  /** how many at most, 1 to `MAX_OCCURRENCES` */
  readonly limit: number;
}

export const MAX_OCCURRENCES = 50_000;

export type Occurrences =
  | { readonly ok: true; readonly at: readonly number[] }
  /** `invalid`: the rule or zone is refused, and `refusal` says why; `too_costly`: not answered in time */
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
 * The answer depends on nothing but the query and the time zone database: no clock is read. How far `start`
 * lies back does not matter to its cost, except for COUNT, which must be counted from there.
 *
 * - Occurrences are the instants, from the start on, that match the rule. A start that does not match is none
 *   itself and does not count towards COUNT (RFC 5545 leaves that case undefined).
 * - What the rule leaves open (day, time of day) is taken from the start.
 * - A local time that does not exist is skipped and not counted; one that exists twice is the first of the two
 *   (RFC 5545, 3.3.5 and 3.3.10). HOURLY counts hours on the local clock.
 * - UNTIL is inclusive.
 * - Occurrences further than 100 years after both `after` and the start are not looked for.
 */
export interface Recurrence {
  /** The occurrences within the open interval (`after`, `before`), ascending, the first `limit` of them. */
  occurrences(query: OccurrenceQuery): Promise<Occurrences>;
  /** Ends what runs; calls under way and later ones reject. */
  close(): Promise<void>;
}

/** A schedule whose next instant is due, or not known yet. */
export interface DueSchedule {
  readonly ingestionSettingId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly schedule: Schedule;
  readonly settingRevision: bigint;
  /** Unix milliseconds; null: not worked out since the setting last changed. */
  readonly nextDue: number | null;
  /** The data source has handled every occurrence up to this instant; 0 = none. */
  readonly tickedUntil: number;
}

export interface DueSchedules {
  /** Schedules of data sources that are not being deleted, that are due at `now` or not worked out, up to `limit`. */
  readonly due: (now: number, limit: number) => Promise<readonly DueSchedule[]>;
  /** Keeps the next instant of a setting as of that revision; null: it never fires again. */
  readonly plan: (
    ingestionSettingId: string,
    settingRevision: bigint,
    nextDue: number | null,
  ) => Promise<void>;
  /** Forgets the plan for a data source that is being deleted. */
  readonly forget: (dataSourceId: string) => Promise<void>;
}
