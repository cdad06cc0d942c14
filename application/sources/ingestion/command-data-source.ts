import type {
  DataSourceCommand,
  DataSourceKind,
  DataSourceState,
} from '../../../domain/data-source/index.ts';
import { ingestionSetting } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, sees } from '../../access/caller.ts';
import { dataSourceWithRow } from '../data-sources/data-source-with-row.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceRow, DataSourceView, NamedDataSource } from '../../ports/data-source-view.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';

export interface CommandDeps {
  readonly execute: Execute;
  readonly view: Pick<DataSourceView, 'withChunkMetadataCounts'>;
}

/** @throws DomainError `not_found` for what the caller may not see, and what the command is refused with */
export type ExecuteDataSourceCommand = (
  caller: Caller,
  kind: DataSourceKind,
  id: string,
  command: DataSourceCommand,
) => Promise<Written<NamedDataSource>>;

/** Executes a command on a data source and returns its record. */
export const createExecuteDataSourceCommand =
  (deps: CommandDeps): ExecuteDataSourceCommand =>
  async (caller, kind, id, command) => {
    if (!sees(caller, id)) throw dataSourceNotFound(kind);
    const done = await deps.execute(dataSourceWithRow, dataSourceStream(id), command, caller.context, {
      guard: ({ state }) => mustBe(kind, state),
    });
    return {
      record: await named(deps, rowIn(done.state, id, caller.tenant), id),
      position: done.position,
      changed: done.events.length > 0,
    };
  };

/** The current record, folded from the streams, as an unchanged result. @throws DomainError not_found */
export const loadDataSourceRecord = async (
  deps: CommandDeps,
  caller: Caller,
  kind: DataSourceKind,
  id: string,
): Promise<Written<NamedDataSource>> => {
  const found = sees(caller, id)
    ? await deps.execute.load(dataSourceWithRow, dataSourceStream(id), caller.tenant)
    : null;
  if (found === null || found.state.state.status === 'removed') throw dataSourceNotFound(kind);
  mustBe(kind, found.state.state);
  const record = await named(deps, rowIn(found.state, id, caller.tenant), id);
  return { record, position: found.position, changed: false };
};

const named = async (
  { execute, view }: CommandDeps,
  row: DataSourceRow | null,
  id: string,
): Promise<NamedDataSource> => {
  if (row === null) throw new Error(`data source ${id} has no history`);
  return withCounts(view, { row, ...(await settingOf(execute, row.ingestionSettingId, row.tenant)) });
};

/** Adds counts that only the catalog has. */
export const withCounts = async (
  view: CommandDeps['view'],
  found: NamedDataSource,
): Promise<NamedDataSource> =>
  found.row.subject.kind === 'local_file_group' ? (await view.withChunkMetadataCounts([found]))[0]! : found;

const mustBe = (kind: DataSourceKind, state: DataSourceState): void => {
  if (state.status === 'none' || state.subject.kind !== kind) throw dataSourceNotFound(kind);
};

export const dataSourceNotFound = (kind: DataSourceKind): DomainError =>
  new DomainError('not_found', `there is no such ${kind.replaceAll('_', ' ')}`);

/** The ingestion setting has the name and parameters of the data source. */
const settingOf = async (
  execute: Execute,
  settingId: string,
  tenant: string,
): Promise<Omit<NamedDataSource, 'row'>> => {
  const setting = await execute.load(ingestionSetting, ingestionSettingStream(settingId), tenant);
  if (setting === null || setting.state.status === 'none') return { name: '', parameters: null };
  const { name, parameters } = setting.state;
  return { name, parameters };
};
