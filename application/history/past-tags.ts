import type { ProjectedEvent } from '../event-sourcing/aggregates.ts';
import { dataSourceStream, tagStream } from '../event-sourcing/streams.ts';
import type { GroupScope } from '../ports/catalog.ts';
import type { Past } from '../access/past.ts';
import type { TagBindingRecord, TagRecord } from '../ports/source-group-view.ts';
import { type TagBindingRow, type TagRows, isTagEvent, tagRows } from '../read-models/tag-rows.ts';
import { isBy, type Moment } from './moment.ts';
import type { ListPast } from './past-lists.ts';
import { byPosition, type PastReader } from './past-reader.ts';

const NONE: TagRows = { tags: new Map(), bindings: new Map(), deletedGroups: new Set() };

/** Tags with their bindings: a tag spans the tenant's stream of tags and the deletions of its source groups. */
export const pastTags = (reader: PastReader, list: ListPast): Past['tags'] => {
  const { moment } = reader;
  /** All events about a tag, in order, and about the source groups that it was bound to. */
  const historyOf = async (tenant: string, tagId: string): Promise<readonly ProjectedEvent[]> => {
    const own = await reader.events(
      tagStream(tenant),
      tenant,
      ({ event }) => isTagEvent(event) && event.tagId === tagId,
    );
    const groups = new Set(
      own.flatMap(({ event }) => (event.type === 'TagBound' ? [event.sourceGroupId] : [])),
    );
    const deletions = await Promise.all(
      [...groups].map((id) =>
        reader.events(dataSourceStream(id), tenant, { type: 'DataSourceDeletionRequested' }),
      ),
    );
    return [...own, ...deletions.flat()].toSorted(byPosition);
  };

  /** The rows of a tag at the moment; notes when what `shows` a record ceased to. */
  const rowsAt = async (
    tenant: string,
    tagId: string,
    record: string,
    isShown: (rows: TagRows) => boolean,
  ): Promise<TagRows | null> => {
    const history = await historyOf(tenant, tagId);
    const later = history.findIndex((event) => !isBy(moment, event));
    const then = tagRows(NONE, later === -1 ? history : history.slice(0, later));
    if (!isShown(then)) return null;
    let rows = then;
    for (const event of later === -1 ? [] : history.slice(later)) {
      rows = tagRows(rows, [event]);
      if (isShown(rows)) continue;
      reader.noteEnd(record, event.recordedAt);
      break;
    }
    return then;
  };

  const get = async (scope: GroupScope, id: string): Promise<TagRecord | null> => {
    const exists = ({ tags }: TagRows): boolean => tags.get(id)?.deleted === false;
    const rows = await rowsAt(scope.tenant, id, id, exists);
    if (rows === null) return null;
    const { name, description, createdAt } = rows.tags.get(id)!;
    const seen = [...rows.bindings.values()].filter((binding) => !binding.gone && within(scope, binding));
    if (scope.only !== null && seen.length === 0) return null;
    return { id, name, description, createdAt, sourceGroupCount: seen.length };
  };

  const getBinding = async (scope: GroupScope, id: string): Promise<TagBindingRecord | null> => {
    const { tenant } = scope;
    const [bound] = await reader.events(
      tagStream(tenant),
      tenant,
      ({ event }) => event.type === 'TagBound' && event.bindingId === id,
    );
    if (bound?.event.type !== 'TagBound') return null;
    const exists = ({ bindings }: TagRows): boolean => bindings.get(id)?.gone === false;
    const binding = (await rowsAt(tenant, bound.event.tagId, id, exists))?.bindings.get(id);
    if (binding === undefined || !within(scope, binding)) return null;
    const { tagId, sourceGroupId, createdAt } = binding;
    return { id, tagId, sourceGroupId, createdAt };
  };

  return {
    get,
    // A restricted key sees the tags of its source groups, which only the folded records tell.
    list: (scope, page) =>
      list(
        { tenant: scope.tenant, list: 'tag' },
        page,
        (id) => get(scope, id),
        scope.only === null ? undefined : () => true,
      ),
    getBinding,
    listBindings: (scope, page) =>
      list(
        { tenant: scope.tenant, list: 'tag_binding', ...(scope.only !== null && { owners: scope.only }) },
        page,
        (id) => getBinding(scope, id),
      ),
  };
};

/** The bindings that there were, in the order in which they were made. */
export const bindingsAt = (moment: Moment, history: readonly ProjectedEvent[]): readonly TagBindingRow[] =>
  [...tagRows(NONE, history.filter((event) => isBy(moment, event)).toSorted(byPosition)).bindings.values()]
    .filter(({ gone }) => !gone)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const within = ({ only }: GroupScope, { sourceGroupId }: TagBindingRow): boolean =>
  only === null || only.includes(sourceGroupId);
