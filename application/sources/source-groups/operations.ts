import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, scopeOf, sees } from '../../access/caller.ts';
import type { Past, PastSourceGroup } from '../../access/past.ts';
import type { CatalogScope } from '../../ports/catalog.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { readDataSource, type ReadDataSourceDeps } from '../data-sources/read-data-source.ts';
import type { AccessTo, OnBehalfOf } from '../../access/authz/access.ts';
import type { IngestionSettingOperations } from '../ingestion/setting-operations.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type {
  FailedItemFilter,
  FailedItemPage,
  Holding,
  SourceGroupFilter,
  SourceGroupRecord,
  SourceGroupSort,
  SourceGroupView,
} from '../../ports/source-group-view.ts';

export interface SourceGroupDeps extends ReadDataSourceDeps {
  readonly view: SourceGroupView;
  readonly accessTo: AccessTo;
  readonly settings: Pick<IngestionSettingOperations, 'change'>;
}

/** Operations on source groups of every kind. All throw DomainError `not_found` for what the caller may not see. */
export const createSourceGroupOperations = (deps: SourceGroupDeps) => {
  const { view, settings, accessTo } = deps;
  /** A policy judges what is there today: it shows no group of the past in which it shows nothing now. */
  const seenIn = (scope: CatalogScope) => async (group: PastSourceGroup) => {
    if ((await view.get(scope, group.id)) === null) return null;
    const { sourceCount: _, ...uncounted } = group;
    return uncounted;
  };
  return {
    /** Newest first, or in the order of `sort`. @throws DomainError invalid_cursor */
    list: async (
      caller: Caller,
      page: PageRequest,
      onBehalfOf: OnBehalfOf = {},
      filter: SourceGroupFilter = {},
      sort: SourceGroupSort = 'newest',
    ): Promise<Page<SourceGroupRecord>> => view.list(await accessTo(caller, onBehalfOf), page, filter, sort),

    /** What there is of each kind, as far as the caller may read it. */
    holdings: async (caller: Caller): Promise<readonly Holding[]> =>
      view.holdings(await accessTo(caller, {})),

    /** What failed since the newest job over all items of each. A policy does not decide here: the items are no documents. */
    failedItems: (caller: Caller, page: PageRequest, filter: FailedItemFilter): Promise<FailedItemPage> =>
      view.failedItems(scopeOf(caller), page, filter),

    get: async (caller: Caller, id: string, onBehalfOf: OnBehalfOf = {}): Promise<SourceGroupRecord> => {
      const record = await view.get(await accessTo(caller, onBehalfOf), id);
      if (record === null) throw dataSourceNotFound();
      return record;
    },

    /** As `list`, at the moment of `past`. */
    listPast: async (
      caller: Caller,
      past: Past,
      page: PageRequest,
      onBehalfOf: OnBehalfOf,
      filter: SourceGroupFilter,
    ): Promise<Page<PastSourceGroup>> => {
      const scope = await accessTo(caller, onBehalfOf);
      return past.sourceGroups.list(scope, page, filter, scope.access === null ? null : seenIn(scope));
    },

    /** As `get`, at the moment of `past`. */
    getPast: async (
      caller: Caller,
      past: Past,
      id: string,
      onBehalfOf: OnBehalfOf,
    ): Promise<PastSourceGroup> => {
      const scope = await accessTo(caller, onBehalfOf);
      const group = await past.sourceGroups.get(scope, id);
      const seen = group === null || scope.access === null ? group : await seenIn(scope)(group);
      if (seen === null) throw dataSourceNotFound();
      return seen;
    },

    /** Changes the name in the ingestion setting. Counts and tags come from the view. */
    rename: async (caller: Caller, id: string, name: string): Promise<Written<SourceGroupRecord>> => {
      const row = sees(caller, id) ? await readDataSource(deps, caller.tenant, id) : null;
      if (row === null || row.status === 'removed') throw dataSourceNotFound();
      const { ingestionSettingId, status, createdAt, startedAt, endedAt, syncedAt, error, subject } = row;
      const { record, ...written } = await settings.change(caller, subject.kind, ingestionSettingId, {
        name,
      });
      const seen = (await view.get({ ...scopeOf(caller), access: null }, id)) ?? UNSEEN;
      const { sourceCount, contentCount, tagIds } = seen;
      const counted = { sourceCount, contentCount, tagIds };
      const job = { status, startedAt, endedAt, syncedAt, error };
      const group = { id, name: record.name, kind: subject.kind, ingestionSettingId, createdAt, ...job };
      return { record: { ...group, ...counted }, ...written };
    },
  };
};
export type SourceGroupOperations = ReturnType<typeof createSourceGroupOperations>;

/** For a group so new that the view lacks it: it is empty. */
const UNSEEN = { sourceCount: 0, contentCount: 0, tagIds: [] } as const;

const dataSourceNotFound = (): DomainError => new DomainError('not_found', 'there is no such source group');
