import type { Schedule } from '../../domain/ingestion-setting/index.ts';

/** A schedule whose next instant is due, or not known yet. */
export interface DueSchedule {
  readonly ingestion_setting_id: string;
  readonly data_source_id: string;
  readonly tenant: string;
  readonly schedule: Schedule;
  readonly setting_revision: bigint;
  /** Unix milliseconds; null: not worked out since the setting last changed. */
  readonly next_due: number | null;
  /** The data source has handled every occurrence up to this instant; 0 = none. */
  readonly ticked_until: number;
}

export interface DueSchedules {
  /** Schedules of data sources that are not being deleted, that are due at `now` or not worked out, up to `limit`. */
  readonly due: (now: number, limit: number) => Promise<readonly DueSchedule[]>;
  /** Keeps the next instant of a setting as of that revision; null: it never fires again. */
  readonly plan: (
    ingestion_setting_id: string,
    setting_revision: bigint,
    next_due: number | null,
  ) => Promise<void>;
  /** Forgets the plan for a data source that is being deleted. */
  readonly forget: (data_source_id: string) => Promise<void>;
}
