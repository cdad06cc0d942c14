/** Facts of the parameters and the schedule of one data source. */

export interface CrawlParameters {
  readonly kind: 'crawl';
  readonly start_url: string;
  readonly max_depth: number;
  readonly max_num_files: number;
  readonly path_filters: readonly string[];
  readonly content_pattern: readonly string[];
  readonly html_only: boolean;
  readonly use_browser: boolean;
  readonly no_canonical_check: boolean;
  readonly file_extensions: readonly string[];
}
export type Parameters = CrawlParameters;

/** What may change between two jobs: everything but the place itself, which makes the data source this one. */
export type ChangeableParameters = Omit<CrawlParameters, 'kind' | 'start_url'>;

/** A recurrence rule (RFC 5545) with a start that never moves, so that every evaluation agrees. */
export interface Schedule {
  /** As the caller wrote it. */
  readonly rrule: string;
  /** Stands for DTSTART in a rule without one: when the schedule was set, Unix milliseconds. */
  readonly start: number;
}

export interface IngestionSettingCreated {
  readonly type: 'IngestionSettingCreated';
  readonly data_source_id: string;
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
/** In force from the next job on. */
export interface IngestionParametersChanged {
  readonly type: 'IngestionParametersChanged';
  /** All of them, as they are now. */
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
