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
  /** Absent to keep the name. */
  readonly name?: string;
  /** Absent parameters keep their values. */
  readonly parameters?: ParameterChange;
  /** Absent to keep the schedule, null to remove it. */
  readonly schedule?: Schedule | null;
  readonly at: number;
}
export type IngestionSettingCommand = CreateIngestionSetting | ChangeIngestionSetting;
