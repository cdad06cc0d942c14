import type { DataSourceKind, SyncMode } from '../../../domain/data-source/index.ts';
import { ingestionSetting, secretOf } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, sees } from '../../access/caller.ts';
import type { SecretAttachments } from '../../access/secrets/attachments.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { DataSourceFilter, DataSourceView, NamedDataSource } from '../../ports/data-source-view.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { ItemError } from '../../ports/item-store.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { Tombstones } from '../../ports/read-your-writes.ts';
import { rowIn } from '../../read-models/with-row.ts';
import { dataSourceWithRow } from '../data-sources/data-source-with-row.ts';
import { createExecuteDataSourceCommand, dataSourceNotFound, withCounts } from './command-data-source.ts';
import { type Connectors, connectorOf } from './connector.ts';
import { currentParameters } from './ingest.ts';

export interface DataSourceDeps {
  readonly execute: Execute;
  readonly view: DataSourceView;
  readonly tombstones: Tombstones;
  readonly connectors: Connectors;
  readonly secretAttachments: Pick<SecretAttachments, 'detach'>;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Operations on data sources of every kind. All throw DomainError `not_found` for what the caller may not see. */
export const createDataSourceOperations = (deps: DataSourceDeps) => {
  const { execute, view, clock, ids } = deps;

  const run = createExecuteDataSourceCommand(deps);
  const viewFor = ({ past }: Caller): DataSourceView => past?.dataSources ?? view;

  const get = async (caller: Caller, kind: DataSourceKind, id: string): Promise<NamedDataSource> => {
    const shown = viewFor(caller);
    const found = sees(caller, id) ? await shown.get(caller.tenant, kind, id) : null;
    if (found === null) throw dataSourceNotFound(kind);
    return withCounts(shown, found);
  };

  const itemsOf = async (caller: Caller, kind: DataSourceKind, id: string, items: readonly string[]) => {
    const connector = connectorOf(deps.connectors, kind);
    if (connector.itemsToSync === undefined)
      throw new DomainError('invalid_request', 'this kind of data source can only be synced as a whole');
    if (!sees(caller, id)) throw dataSourceNotFound(kind);
    const found = await execute.load(dataSourceWithRow, dataSourceStream(id), caller.tenant);
    const row = found && rowIn(found.state, id, caller.tenant);
    if (row === null || row.subject.kind !== kind || row.status === 'removed') throw dataSourceNotFound(kind);
    const { parameters } = await currentParameters(deps, caller.tenant, row.ingestionSettingId);
    return connector.itemsToSync({ dataSourceId: id, parameters }, items);
  };

  return {
    get,

    list: async (
      caller: Caller,
      kind: DataSourceKind,
      page: PageRequest,
      filter: DataSourceFilter = {},
    ): Promise<Page<NamedDataSource>> => {
      const shown = viewFor(caller);
      const found = await shown.list(caller.tenant, kind, page, caller.grant.sourceGroupIds, filter);
      if (kind !== 'local_file_group') return found;
      return { ...found, rows: await shown.withChunkMetadataCounts(found.rows) };
    },

    cancel: (caller: Caller, kind: DataSourceKind, id: string) =>
      run(caller, kind, id, { type: 'cancel', at: clock.now() }),

    /**
     * Queues a job, limited to `items` if given. If a job is running, returns the unchanged record.
     *
     * @throws DomainError invalid_request for an item that does not belong to the data source
     */
    sync: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      mode: SyncMode,
      items?: readonly string[],
    ) => {
      const named = items === undefined ? undefined : await itemsOf(caller, kind, id, items);
      const job = { type: 'enqueue', jobId: ids.newId(), trigger: 'sync', mode, at: clock.now() } as const;
      return run(caller, kind, id, { ...job, ...(named !== undefined && { locators: named }) });
    },

    /** Accepts a deletion. When it resolves, no new read shows the content, however far the views lag. */
    remove: async (caller: Caller, kind: DataSourceKind, id: string) => {
      const written = await run(caller, kind, id, { type: 'delete', at: clock.now() });
      await deps.tombstones.putDataSource(caller.tenant, id);
      const { position } = written;
      const detached = await detachSecret(deps, caller, id, written.record.row.ingestionSettingId);
      return detached !== null && detached > position ? { ...written, position: detached } : written;
    },
  };
};
export type DataSourceOperations = ReturnType<typeof createDataSourceOperations>;

/**
 * Detaches the secret of a data source that is being deleted, since no further job starts. Returns the position of that
 * event.
 */
const detachSecret = async (
  { execute, secretAttachments }: DataSourceDeps,
  { tenant, context }: Caller,
  id: string,
  settingId: string,
): Promise<Position | null> => {
  const setting = (await execute.load(ingestionSetting, ingestionSettingStream(settingId), tenant))?.state;
  const secretId = setting?.status === 'defined' ? secretOf(setting.parameters) : null;
  return secretId === null ? null : secretAttachments.detach(context, secretId, id);
};

const MAX_BLOCKED = 1_000;

export interface ItemErrors {
  readonly errors: Page<ItemError>;
  /** Locators that the provider disallows for robots, at most 1,000. */
  readonly blocked: readonly string[];
}

/**
 * Failed items of the newest job, of uploads the skipped ones too, ordered by locator (`after` is a locator), and disallowed items.
 *
 * @throws DomainError not_found, invalid_cursor
 */
export const createItemErrors =
  ({ view, connectors }: { readonly view: DataSourceView; readonly connectors: Connectors }) =>
  async (caller: Caller, kind: DataSourceKind, id: string, page: PageRequest): Promise<ItemErrors> => {
    const found = sees(caller, id) ? await view.get(caller.tenant, kind, id) : null;
    if (found === null) throw dataSourceNotFound(kind);
    const connector = connectorOf(connectors, kind);
    const errors = await connector.errors(id, page);
    return { errors, blocked: (await connector.blocked?.(id, MAX_BLOCKED)) ?? [] };
  };
export type ReadItemErrors = ReturnType<typeof createItemErrors>;
