import type { DefinedSetting, IngestionSettingEvent } from '../../domain/ingestion-setting/index.ts';
import type { IngestionSettingRow } from '../ports/data-source-view.ts';
import type { RowContext } from './data-source-row.ts';

export const ingestionSettingRow = (
  row: IngestionSettingRow | null,
  event: IngestionSettingEvent,
  { id, tenant, revision }: RowContext,
): IngestionSettingRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'IngestionSettingCreated') {
    const { dataSourceId, name, parameters, schedule } = event;
    return { id, tenant, dataSourceId, name, parameters, schedule, revision };
  }
  if (row === null) throw new Error(`${event.type} of ${id} before IngestionSettingCreated`);
  switch (event.type) {
    case 'IngestionSettingRenamed':
      return { ...row, name: event.name, revision };
    case 'IngestionParametersChanged':
      return { ...row, parameters: event.parameters, revision };
    case 'ScheduleSet':
      return { ...row, schedule: event.schedule, revision };
    case 'ScheduleRemoved':
      return { ...row, schedule: null, revision };
  }
};

/** The row of a setting with this state at `of.revision`. */
export const ingestionSettingRowOf = (setting: DefinedSetting, of: RowContext): IngestionSettingRow => {
  const { status: _, ...facts } = setting;
  return { ...facts, ...of };
};
