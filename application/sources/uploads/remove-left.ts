import { dataSource } from '../../../domain/data-source/index.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type LoadedDataSource, loadDataSource } from '../ingestion/job.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { UploadLease } from '../../ports/leases.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';

export interface RemoveLeftDeps {
  readonly execute: Execute;
  readonly files: Pick<FileAreas, 'remove'>;
  readonly clock: Clock;
}

/**
 * Removes what an upload leaves that broke off: first the group that was made for it, then its bytes. So bytes go only
 * when nothing names them: a group that has got its files is none of the upload's any more, whatever became of it then.
 */
export const removeLeft = async (
  { execute, files, clock }: RemoveLeftDeps,
  { id, createdId }: UploadLease,
  contextOf: (created: LoadedDataSource) => CommandContext,
): Promise<void> => {
  const created = createdId === null ? null : await loadDataSource(execute, createdId);
  if (created !== null && created.state.status !== 'none' && createdId !== null) {
    const { status, uploaded } = created.state;
    if (uploaded !== undefined && id === createdId) return;
    const command = { type: 'delete', at: clock.now() } as const;
    if (uploaded === undefined && status !== 'removed')
      await execute(dataSource, dataSourceStream(createdId), command, contextOf(created));
  }
  await files.remove(id);
};
