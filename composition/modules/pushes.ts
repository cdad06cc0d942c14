import { ContainerModule } from 'inversify';
import { rememberedWriting } from '../../application/sources/content/recent-chunk-sets.ts';
import { createHoldPush } from '../../application/sources/pushes/hold-push.ts';
import { createPushJobs } from '../../application/sources/pushes/jobs.ts';
import { createPutDocument } from '../../application/sources/pushes/put-document.ts';
import { createRemoveDocument } from '../../application/sources/pushes/remove-document.ts';
import { backOffFor } from '../back-off.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';
import { rawUrlOf } from './connectors.ts';
import { UPLOADS, withTiming } from './uploads.ts';

/** How long a report waits for others of the same push. */
const PATIENCE_MS = 30_000;

const REPORTS = { execute: T.Execute, ledger: T.UnitLedger, clock: T.Clock, hold: T.HoldPush } as const;

/** What processes outside bring and report. */
export const pushesModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  provide(
    T.HoldPush,
    createHoldPush,
    { execute: T.Execute, leases: T.WorkLeases, owner: T.Owner, clock: T.Clock },
    { backOff: backOffFor(PATIENCE_MS) },
  );
  provide(T.PushJobs, createPushJobs, {
    ...REPORTS,
    view: T.DataSourceView,
    ids: T.IdSource,
    hash: T.Hash,
    feed: T.EventFeed,
    gate: T.ReadGate,
    catalog: T.PurgeCatalog,
    files: T.FileAreas,
    connectors: T.Connectors,
  });
  provide(
    T.PutDocument,
    ({ recent, ...deps }) =>
      createPutDocument({
        ...withTiming(deps),
        writeChunkSet: rememberedWriting(recent, deps.hash),
        urlOf: rawUrlOf,
      }),
    {
      ...UPLOADS,
      ...REPORTS,
      feed: T.EventFeed,
      gate: T.ReadGate,
      redaction: T.PoliciesInForce,
      extractor: T.DocumentReader,
      recent: T.RecentChunkSets,
    },
  );
  provide(T.RemoveDocument, createRemoveDocument, { ...REPORTS, hash: T.Hash, withheld: T.Withheld });
});
