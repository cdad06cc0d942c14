import type { Decider } from '../shared/decider.ts';
import type { IngestionSettingCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { IngestionSettingEvent } from './events.ts';
import { evolve, initial, type IngestionSettingState } from './state.ts';

export const ingestionSetting: Decider<
  IngestionSettingCommand,
  IngestionSettingEvent,
  IngestionSettingState,
  'ingestionSetting'
> = {
  category: 'ingestionSetting',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export type { CloudDriveParameters } from './parameters/cloud-drive.ts';
export type { CrawlParameters } from './parameters/crawl.ts';
export type { LocalFileGroupParameters } from './parameters/local-file-group.ts';
export type { PushParameters } from './parameters/push.ts';
export { REFERENCE_TYPES, type RepoParameters } from './parameters/repo.ts';
export {
  changedParameters,
  isSame,
  type ChangeableParameters,
  type ParameterChange,
  type Parameters,
  type ParametersKind,
  type ParametersOf,
  secretOf,
} from './parameters/parameters.ts';
export { wikiPageId, type WikiParameters } from './parameters/wiki.ts';
export type { DefinedSetting, IngestionSettingState } from './state.ts';
