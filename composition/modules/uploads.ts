import { ContainerModule } from 'inversify';
import { every, sleep } from '../../adapters/system/timing.ts';
import { createAddFiles } from '../../application/sources/uploads/add-files.ts';
import { createCreateGroup } from '../../application/sources/uploads/create-group.ts';
import { runUploadSweeps } from '../../application/sources/uploads/sweep-uploads.ts';
import type { UploadDeps } from '../../application/sources/uploads/upload-area.ts';
import { role } from '../roles.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** What it takes to receive bytes. */
export const UPLOADS = {
  execute: T.Execute,
  files: T.FileAreas,
  uploads: T.UploadsUnderWay,
  ids: T.IdSource,
  hash: T.Hash,
  clock: T.Clock,
  log: T.Logger,
} as const;

export const withTiming = <Deps extends Omit<UploadDeps, 'every'>>(deps: Deps): Deps & UploadDeps => ({
  ...deps,
  every: (ms, run) =>
    every(ms, run, (error) => deps.log.warn('an upload cannot be held', { error: (error as Error).message })),
});

/** Files that callers send. */
export const uploadsModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  provide(T.CreateLocalFileGroup, (deps) => createCreateGroup(withTiming(deps)), {
    ...UPLOADS,
    scheduling: T.Scheduling,
    marks: T.RowMarks,
    connectors: T.Connectors,
    uses: T.SecretUses,
  });
  provide(T.AddLocalFiles, (deps) => createAddFiles(withTiming(deps)), {
    ...UPLOADS,
    view: T.DataSourceView,
  });
  provide(
    T.UploadSweep,
    role('scheduler', runUploadSweeps),
    {
      execute: T.Execute,
      files: T.FileAreas,
      uploads: T.UploadsUnderWay,
      clock: T.Clock,
      log: T.Logger,
      owner: T.Owner,
    },
    { idle: sleep },
  );
});
