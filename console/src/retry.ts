import type { Client, SourceType } from 'knowledger-client';
import { kindOf } from './kinds.ts';

export interface Failed {
  readonly source_group_id: string;
  readonly source_type: SourceType;
  readonly locator: string;
}

/** A sync takes no more items. */
const AT_ONCE = 100;

/** Whether a sync can read single items of the kind again: a push is fed by its program. */
export const canRetry = (type: SourceType): boolean => type !== 'push';

/** Has each source read these items again, and nothing else. Resolves with the number of sources, once all have accepted. */
export const retry = async (client: Client, items: readonly Failed[]): Promise<number> => {
  const bySource = Map.groupBy(
    items.filter(({ source_type: type }) => canRetry(type)),
    ({ source_group_id: id }) => id,
  );
  for (const [id, all] of bySource) {
    const { path, type } = kindOf(all[0]!.source_type);
    const locators = all.slice(0, AT_ONCE).map(({ locator }) => locator);
    const body = type === 'crawl' ? { urls: locators } : { locators };
    await client.raw('POST', `${path}/{id}/sync`, { path: { id }, body });
  }
  return bySource.size;
};
