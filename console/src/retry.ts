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

/** Those that one round reads again: of each source as many as a sync takes. */
export const retriable = <Item extends Failed>(items: readonly Item[]): readonly Item[] =>
  [
    ...Map.groupBy(
      items.filter(({ source_type: type }) => canRetry(type)),
      ({ source_group_id: id }) => id,
    ).values(),
  ].flatMap((all) => all.slice(0, AT_ONCE));

export interface Retried {
  /** Sources that have accepted. */
  readonly accepted: number;
  /** Why others have not, such as one that is being deleted. */
  readonly refusals: readonly unknown[];
}

/** Has each source read these items again, and nothing else. One that refuses does not keep the others from it. */
export const retry = async (client: Client, items: readonly Failed[]): Promise<Retried> => {
  const refusals: unknown[] = [];
  let accepted = 0;
  for (const [id, all] of Map.groupBy(retriable(items), ({ source_group_id: group }) => group)) {
    const { path, type } = kindOf(all[0]!.source_type);
    const locators = all.map(({ locator }) => locator);
    const body = type === 'crawl' ? { urls: locators } : { locators };
    try {
      await client.raw('POST', `${path}/{id}/sync`, { path: { id }, body });
      accepted += 1;
    } catch (error) {
      refusals.push(error);
    }
  }
  return { accepted, refusals };
};
