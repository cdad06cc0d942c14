import type { Schedule } from '../../domain/ingestion-setting/index.ts';

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
