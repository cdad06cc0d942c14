import { dataSource, type DataSourceState, mustTakeFiles } from '../../../domain/data-source/index.ts';
import type { MetadataKey } from '../../../domain/source/metadata-key.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { dataSourceWithRow } from '../data-sources/data-source-with-row.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceRow } from '../../ports/data-source-view.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { type GroupFile, growList } from './file-list.ts';

export interface CommitDeps {
  readonly execute: Execute;
  readonly files: FileAreas;
  readonly clock: Clock;
}

export interface NewFiles {
  readonly files: readonly GroupFile[];
  /** Names of files that a job must read even if the group has identical ones. Default: none. */
  readonly again?: ReadonlySet<string>;
  /** Id of the job that reads them, if none is queued yet. */
  readonly jobId: string;
  /** The keys that the form of a new group declares. */
  readonly chunkMetadataKeys?: readonly MetadataKey[];
}

/** Maximum number of lost races. */
const MAX_ATTEMPTS = 20;

/**
 * Records that files belong to a group. Their bytes must already be in the group's area. Concurrent uploads are
 * serialised by the expected revision: each extends the list that the one before left. If the group is being deleted or
 * was deleted, deletes the bytes.
 *
 * @throws DomainError not_found, source_deleting, conflict
 */
export const commitFiles = async (
  deps: CommitDeps,
  context: CommandContext,
  id: string,
  added: NewFiles,
): Promise<Written<DataSourceRow>> => {
  try {
    return await record(deps, context, id, added);
  } catch (error) {
    // The purge may have emptied the area before the bytes arrived, and would not return.
    if (error instanceof DomainError && (await isBeingDeleted(deps, context.tenant, id)))
      await deps.files.remove(id);
    throw error;
  }
};

const record = async (
  { execute, files: areas, clock }: CommitDeps,
  context: CommandContext,
  id: string,
  { files, again, ...facts }: NewFiles,
): Promise<Written<DataSourceRow>> => {
  const stream = dataSourceStream(id);
  const area = await areas.area(id, 'caller');
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const found = await execute.load(dataSourceWithRow, stream, context.tenant);
    const row = found && rowIn(found.state, id, context.tenant);
    if (found === null || row === null) throw noSuchGroup();
    const newest = newestIn(found.state.state);
    const grown = await growList(area, newest, files, { upload: facts.jobId, again });
    if (grown === null) return { record: row, position: found.position, changed: false };
    const guard = ({ state }: { readonly state: DataSourceState }): void => {
      if (newestIn(state) !== newest) throw new ListChanged();
    };
    const command = { type: 'add_files', ...grown, ...facts, at: clock.now() } as const;
    try {
      const done = await execute(dataSourceWithRow, stream, command, context, { guard });
      return { record: rowIn(done.state, id, context.tenant)!, position: done.position, changed: true };
    } catch (error) {
      if (!(error instanceof ListChanged)) throw error;
    }
  }
  throw new DomainError('conflict', 'too many uploads to this group at once: try again');
};

const isBeingDeleted = async ({ execute }: CommitDeps, tenant: string, id: string): Promise<boolean> => {
  const status = (await execute.load(dataSource, dataSourceStream(id), tenant))?.state.status;
  return status === 'deleting' || status === 'delete_job_failure' || status === 'removed';
};

/** Another upload changed the list first. */
class ListChanged extends Error {
  override readonly name = 'ListChanged';
}

/** @throws DomainError not_found, source_deleting */
const newestIn = (state: DataSourceState): string | null => {
  if (state.status === 'none') throw noSuchGroup();
  mustTakeFiles(state);
  return state.uploaded?.list ?? null;
};

export const noSuchGroup = (): DomainError =>
  new DomainError('not_found', 'there is no such local file group');

/**
 * Whether a new group is waiting for its files, has them, or was canceled before, with the position of the log.
 *
 * @throws DomainError not_found, source_deleting
 */
export const uploadStateOf = async (
  { execute }: Pick<CommitDeps, 'execute'>,
  tenant: string,
  id: string,
): Promise<{ readonly standing: 'waiting' | 'has_files' | 'canceled'; readonly position: string }> => {
  const found = await execute.load(dataSource, dataSourceStream(id), tenant);
  if (found === null || found.state.status === 'none') throw noSuchGroup();
  mustTakeFiles(found.state);
  const { position, state } = found;
  if (state.uploaded !== undefined) return { standing: 'has_files', position };
  return { standing: state.status === 'not_started' ? 'waiting' : 'canceled', position };
};
