import {
  ingestionSetting,
  type IngestionSettingEvent,
  type IngestionSettingState,
  isSame,
  type Parameters,
} from '../../../domain/ingestion-setting/index.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { ingestionSettingStream } from '../../event-sourcing/streams.ts';

export interface ParametersInForce {
  readonly parameters: Parameters;
  /** When each parameter was changed last, Unix milliseconds; absent: it is as it was created. */
  readonly changedAt: { readonly [parameter: string]: number };
}

/** A setting, and when each of its parameters was changed last. */
export const settingInForce = {
  category: ingestionSetting.category,
  initial: { setting: ingestionSetting.initial, changedAt: {} },
  evolve: ({ setting, changedAt }: SettingInForce, event: IngestionSettingEvent): SettingInForce => ({
    setting: ingestionSetting.evolve(setting, event),
    changedAt: { ...changedAt, ...changesOf(setting, event) },
  }),
};
interface SettingInForce {
  readonly setting: IngestionSettingState;
  readonly changedAt: { readonly [parameter: string]: number };
}

const changesOf = (
  before: IngestionSettingState,
  event: IngestionSettingEvent,
): { readonly [parameter: string]: number } => {
  if (event.type !== 'IngestionParametersChanged' || before.status === 'none') return {};
  const changed = Object.keys(event.parameters).filter(
    (key) => !isSame(event.parameters, before.parameters, key),
  );
  return Object.fromEntries(changed.map((key) => [key, event.at]));
};

/** What a job goes by, if it begins now. */
export const parametersInForce = async (
  { execute }: { readonly execute: Pick<Execute, 'load'> },
  tenant: string,
  ingestionSettingId: string,
): Promise<ParametersInForce> => {
  const found = await execute.load(settingInForce, ingestionSettingStream(ingestionSettingId), tenant);
  const { setting, changedAt } = found?.state ?? settingInForce.initial;
  if (setting.status === 'none') throw new Error(`ingestion setting ${ingestionSettingId} is missing`);
  return { parameters: setting.parameters, changedAt };
};
