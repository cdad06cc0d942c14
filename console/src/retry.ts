import type { Client, SourceType } from 'knowledger-client';
import { kindOf } from './kinds.ts';

export interface Failed {
  readonly source_group_id: string;
  readonly source_type: SourceType;
  readonly locator: string;
}

/** A sync takes no more items. A source of which more failed reads all that it has. */
const AT_ONCE = 100;

/** Whether a sync can read single items of the kind again: a push is fed by its program. */
export const canRetry = (type: SourceType): boolean => type !== 'push';

/** What a retry of these items does. */
export const planOf = (items: readonly Failed[]) => {
  const retriable = items.filter(({ source_type: type }) => canRetry(type));
  const sources = [...Map.groupBy(retriable, ({ source_group_id: id }) => id).values()];
  return { sources, items: retriable.length, whole: sources.filter((of) => of.length > AT_ONCE).length };
};

export interface Retried {
  /** Items that sources have accepted. */
  readonly accepted: number;
  /** Why others have not, such as one that is being deleted. */
  readonly refusals: readonly unknown[];
}

/**
 * Has each source read these items again, and nothing else unless they are too many. One that refuses does not keep the
 * others from it.
 */
export const retry = async (client: Client, items: readonly Failed[]): Promise<Retried> => {
  const refusals: unknown[] = [];
  let accepted = 0;
  for (const all of planOf(items).sources) {
    const { source_group_id: id, source_type: of } = all[0]!;
    const { path, type } = kindOf(of);
    const locators = all.map(({ locator }) => locator);
    const body = all.length > AT_ONCE ? {} : type === 'crawl' ? { urls: locators } : { locators };
    try {
      await client.raw('POST', `${path}/{id}/sync`, { path: { id }, body });
      accepted += all.length;
    } catch (error) {
      refusals.push(error);
    }
  }
  return { accepted, refusals };
};
