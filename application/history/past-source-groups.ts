import { DATA_SOURCE_KINDS } from '../../domain/data-source/index.ts';
import type { Past, PastSourceGroup } from '../access/past.ts';
import { dataSourceStream, ingestionSettingStream, tagStream } from '../event-sourcing/streams.ts';
import type { GroupScope } from '../ports/catalog.ts';
import { dataSourceFold, ingestionSettingFold } from '../read-models/row-folds.ts';
import { isTagEvent } from '../read-models/tag-rows.ts';
import type { CountPast, ListPast } from './past-lists.ts';
import type { PastReader } from './past-reader.ts';
import { bindingsAt } from './past-tags.ts';

/**
 * Source groups: data sources with the names and tags that they had, and the number of their sources. Contents have no
 * history, and are not counted.
 *
 * @param count null: sources are not counted either
 */
export const pastSourceGroups = (
  reader: PastReader,
  list: ListPast,
  count: CountPast | null,
): Past['sourceGroups'] => {
  const get = async ({ tenant, only }: GroupScope, id: string): Promise<PastSourceGroup | null> => {
    if (only?.includes(id) === false) return null;
    const row = await reader.row(dataSourceFold, id, tenant, dataSourceStream(id));
    if (row === null) return null;
    const {
      ingestionSettingId: setting,
      status,
      subject,
      createdAt,
      startedAt,
      endedAt,
      syncedAt,
      error,
    } = row;
    const [named, tagIds, sourceCount] = await Promise.all([
      reader.row(ingestionSettingFold, setting, tenant, ingestionSettingStream(setting)),
      tagsOf(tenant, id),
      count?.({ tenant, list: 'source', owner: id }),
    ]);
    return {
      id,
      name: named?.name ?? '',
      kind: subject.kind,
      status,
      ...(sourceCount !== undefined && { sourceCount }),
      tagIds,
      ingestionSettingId: setting,
      createdAt,
      startedAt,
      endedAt,
      syncedAt,
      error,
    };
  };
  const tagsOf = async (tenant: string, id: string): Promise<readonly string[]> => {
    const bound = new Set<string>();
    const own = await reader.events(tagStream(tenant), tenant, ({ event }) => {
      if (event.type === 'TagBound' && event.sourceGroupId === id) bound.add(event.tagId);
      return false;
    });
    if (bound.size === 0) return [];
    const ofTags = await reader.events(
      tagStream(tenant),
      tenant,
      ({ event }) => isTagEvent(event) && bound.has(event.tagId),
    );
    const deletions = await reader.events(dataSourceStream(id), tenant, {
      type: 'DataSourceDeletionRequested',
    });
    return bindingsAt(reader.moment, [...own, ...ofTags, ...deletions])
      .filter(({ sourceGroupId }) => sourceGroupId === id)
      .map(({ tagId }) => tagId);
  };
  return {
    get,
    list: (scope, page, { ids: asked, statuses, kinds = DATA_SOURCE_KINDS, name = '' }, seen) => {
      const { tenant, only } = scope;
      const ids = only === null ? asked : (asked?.filter((id) => only.includes(id)) ?? only);
      return list(
        { tenant, list: kinds, ...(ids !== undefined && { ids }) },
        page,
        async (id) => {
          const group = await get(scope, id);
          return group === null || seen === null ? group : seen(group);
        },
        statuses === undefined && name === '' && seen === null
          ? undefined
          : (group) =>
              (statuses?.includes(group.status) ?? true) &&
              group.name.toLowerCase().startsWith(name.toLowerCase()),
      );
    },
  };
};
