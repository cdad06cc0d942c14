import { DomainError } from '../shared/domain-error.ts';
import type { ChangeIngestionSetting, IngestionSettingCommand } from './commands.ts';
import type { IngestionSettingEvent, Schedule } from './events.ts';
import { changedParameters, sameParameters } from './parameters/parameters.ts';
import type { DefinedSetting, IngestionSettingState } from './state.ts';

export const decide = (
  command: IngestionSettingCommand,
  state: IngestionSettingState,
): readonly IngestionSettingEvent[] => {
  switch (command.type) {
    case 'create': {
      if (state.status === 'defined') return [];
      return [{ ...command, type: 'IngestionSettingCreated' }];
    }
    case 'change':
      if (state.status === 'none') throw new DomainError('not_found', 'there is no such ingestion setting');
      return change(command, state);
  }
};

const change = (command: ChangeIngestionSetting, state: DefinedSetting): readonly IngestionSettingEvent[] => {
  const { name, schedule, at } = command;
  const parameters = changedParameters(state.parameters, command.parameters ?? {});
  const events: IngestionSettingEvent[] = [];
  if (name !== undefined && name !== state.name) events.push({ type: 'IngestionSettingRenamed', name, at });
  if (!sameParameters(parameters, state.parameters))
    events.push({ type: 'IngestionParametersChanged', parameters, at });
  if (schedule === null && state.schedule !== null) events.push({ type: 'ScheduleRemoved', at });
  // An unchanged rule keeps its start, because DTSTART is set only once.
  if (schedule && !sameRule(schedule, state.schedule)) events.push({ type: 'ScheduleSet', schedule, at });
  return events;
};

const sameRule = (a: Schedule, b: Schedule | null): boolean => a.rrule === b?.rrule;
