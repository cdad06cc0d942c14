import type { Schedule } from './events.ts';
import type { ParameterChange, Parameters } from './parameters/parameters.ts';

export interface CreateIngestionSetting {
  readonly type: 'create';
  readonly dataSourceId: string;
  readonly name: string;
  readonly parameters: Parameters;
  readonly schedule: Schedule | null;
  readonly at: number;
}
export interface ChangeIngestionSetting {
  readonly type: 'change';
  /** Absent: the name stays. */
  readonly name?: string;
  /** Those that are absent stay as they are. */
  readonly parameters?: ParameterChange;
  /** Absent: the schedule stays; null: it is removed. */
  readonly schedule?: Schedule | null;
  readonly at: number;
}
export type IngestionSettingCommand = CreateIngestionSetting | ChangeIngestionSetting;
