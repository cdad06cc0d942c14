import type {
  CrawlParameters,
  IngestionSettingEvent,
  IngestionSettingState,
} from '../../domain/ingestion-setting/index.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { plainShape } from '../../domain/shared/decider.ts';
import type { Execute } from '../execute.ts';
import { ingestionSettingStream } from '../streams.ts';

export interface ParametersInForce {
  readonly parameters: CrawlParameters;
  /** Since when pages are judged as they are now, Unix milliseconds; 0: since the creation. */
  readonly judgedSince: number;
}

/** By these it is decided whether a page is stored, from what the server answers: a page that has not changed, too. */
const JUDGING = ['content_pattern', 'html_only', 'no_canonical_check'] as const;

/** A setting, and since when its pages are judged as they are now. */
export const settingInForce = {
  initial: { setting: ingestionSetting.initial, judgedSince: 0 },
  evolve: ({ setting, judgedSince }: SettingInForce, event: IngestionSettingEvent): SettingInForce => ({
    setting: ingestionSetting.evolve(setting, event),
    judgedSince: judgesOtherwise(setting, event) ? event.at : judgedSince,
  }),
  shape: plainShape<SettingInForce>('ingestionSettingInForce', 1),
};
interface SettingInForce {
  readonly setting: IngestionSettingState;
  readonly judgedSince: number;
}

const judgesOtherwise = (before: IngestionSettingState, event: IngestionSettingEvent): boolean =>
  event.type === 'IngestionParametersChanged' &&
  before.status !== 'none' &&
  JUDGING.some((key) => String(event.parameters[key]) !== String(before.parameters[key]));

/** What a job of this crawl goes by, if it begins now. */
export const parametersOfCrawl = async (
  { execute }: { readonly execute: Pick<Execute, 'load'> },
  tenant: string,
  ingestion_setting_id: string,
): Promise<ParametersInForce> => {
  const found = await execute.load(settingInForce, ingestionSettingStream(ingestion_setting_id), tenant);
  const { setting, judgedSince } = found?.state ?? settingInForce.initial;
  if (setting.status === 'none') throw new Error(`ingestion setting ${ingestion_setting_id} is missing`);
  return { parameters: setting.parameters, judgedSince };
};
