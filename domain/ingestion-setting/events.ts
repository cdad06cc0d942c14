import type { Parameters } from './parameters/parameters.ts';

/** Events of the parameters and the schedule of one data source. */

/** A recurrence rule (RFC 5545) with a fixed start, so that every evaluation gives the same result. */
export interface Schedule {
  /** As the caller wrote it. */
  readonly rrule: string;
  /** DTSTART of a rule without one: when the schedule was set, in Unix milliseconds. */
  readonly start: number;
}

export interface IngestionSettingCreated {
  readonly type: 'IngestionSettingCreated';
  readonly dataSourceId: string;
  readonly name: string;
  readonly parameters: Parameters;
  readonly schedule: Schedule | null;
  readonly at: number;
}
export interface IngestionSettingRenamed {
  readonly type: 'IngestionSettingRenamed';
  readonly name: string;
  readonly at: number;
}
/** Applies from the next job on. */
export interface IngestionParametersChanged {
  readonly type: 'IngestionParametersChanged';
  /** The complete parameters. */
  readonly parameters: Parameters;
  readonly at: number;
}
export interface ScheduleSet {
  readonly type: 'ScheduleSet';
  readonly schedule: Schedule;
  readonly at: number;
}
export interface ScheduleRemoved {
  readonly type: 'ScheduleRemoved';
  readonly at: number;
}
export type IngestionSettingEvent =
  | IngestionSettingCreated
  | IngestionSettingRenamed
  | IngestionParametersChanged
  | ScheduleSet
  | ScheduleRemoved;
