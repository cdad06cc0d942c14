import type { IngestionSettingEvent, Schedule } from './events.ts';
import type { Parameters } from './parameters/parameters.ts';

export type IngestionSettingState =
  | { readonly status: 'none' }
  | {
      readonly status: 'defined';
      readonly dataSourceId: string;
      readonly name: string;
      readonly parameters: Parameters;
      readonly schedule: Schedule | null;
    };
export type DefinedSetting = Extract<IngestionSettingState, { status: 'defined' }>;

export const initial: IngestionSettingState = { status: 'none' };

export const evolve = (state: IngestionSettingState, event: IngestionSettingEvent): IngestionSettingState => {
  if (event.type === 'IngestionSettingCreated') {
    const { dataSourceId, name, parameters, schedule } = event;
    return { status: 'defined', dataSourceId, name, parameters, schedule };
  }
  if (state.status === 'none') throw new Error(`${event.type} before IngestionSettingCreated`);
  switch (event.type) {
    case 'IngestionSettingRenamed':
      return { ...state, name: event.name };
    case 'IngestionParametersChanged':
      return { ...state, parameters: event.parameters };
    case 'ScheduleSet':
      return { ...state, schedule: event.schedule };
    case 'ScheduleRemoved':
      return { ...state, schedule: null };
  }
};
