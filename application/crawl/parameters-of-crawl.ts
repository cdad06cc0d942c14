import type { CrawlParameters, IngestionSettingEvent } from '../../domain/ingestion-setting/index.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import type { EventCodec } from '../event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import { ingestionSettingStream } from '../streams.ts';

export interface ParametersInForce {
  readonly parameters: CrawlParameters;
  /** Since when pages are judged as they are now, Unix milliseconds; 0: since the creation. */
  readonly judgedSince: number;
}

/** By these it is decided whether a page is stored, from what the server answers: a page that has not changed, too. */
const JUDGING = ['content_pattern', 'html_only', 'no_canonical_check'] as const;

/** What a job of this crawl goes by, if it begins now. */
export const parametersOfCrawl = async (
  { store, codec }: { readonly store: EventStore; readonly codec: EventCodec },
  ingestion_setting_id: string,
): Promise<ParametersInForce> => {
  const recorded = await store.readStream(ingestionSettingStream(ingestion_setting_id));
  let state = ingestionSetting.initial;
  let judgedSince = 0;
  for (const event of recorded.map((one) => codec.decode(one) as IngestionSettingEvent)) {
    const before = state;
    state = ingestionSetting.evolve(state, event);
    if (event.type !== 'IngestionParametersChanged' || before.status === 'none') continue;
    const differs = JUDGING.some((key) => String(event.parameters[key]) !== String(before.parameters[key]));
    if (differs) judgedSince = event.at;
  }
  if (state.status === 'none') throw new Error(`ingestion setting ${ingestion_setting_id} is missing`);
  return { parameters: state.parameters, judgedSince };
};
