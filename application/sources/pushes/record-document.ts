import { type ExistingDataSource, NO_COUNTS } from '../../../domain/data-source/index.ts';
import type { Caller } from '../../access/caller.ts';
import { type DocumentsDeps, openDocuments } from '../ingestion/documents.ts';
import type { Job } from '../ingestion/job.ts';
import { visitItems } from '../ingestion/listed/visit-items.ts';
import type { ReadOutcome } from '../ingestion/read-documents.ts';
import type { Position } from '../../ports/event-store.ts';
import type { ItemStore } from '../../ports/item-store.ts';
import type { PushedDocument } from './read-document.ts';
import { runOf } from './report.ts';

export interface RecordPushedDeps extends DocumentsDeps {
  readonly itemStore: ItemStore;
}

/**
 * What a version that was brought takes: nothing, where the job has met it already; a visit, where an earlier job has; or
 * to be read.
 */
export type Owed = 'nothing' | 'visit' | 'reading';

export const owedFor = async (
  { itemStore }: Pick<RecordPushedDeps, 'itemStore'>,
  id: string,
  state: ExistingDataSource,
  { locator, fingerprint }: PushedDocument,
): Promise<Owed> => {
  const known = (await itemStore.known(runOf(id, state), [locator])).get(locator);
  if (known === undefined || known.failed || known.fingerprint !== fingerprint) return 'reading';
  if (known.seen) return 'nothing';
  return state.job.mode === 'incremental' ? 'visit' : 'reading';
};

/**
 * Records a version as a job records an item that its provider listed: the fact, then the item store. Its files are in the area
 * of the push by now.
 *
 * @param read null: an earlier job has read it
 * @returns the position of the newest fact; null: it is what it was
 */
export const recordPushed = async (
  deps: RecordPushedDeps,
  { tenant, context }: Caller,
  {
    id,
    state,
    document: { locator, fingerprint, found },
    read,
    stillOurs,
  }: {
    readonly id: string;
    readonly state: ExistingDataSource;
    readonly document: PushedDocument;
    readonly read: ReadOutcome | null;
    readonly stillOurs: () => void;
  },
): Promise<Position | null> => {
  const { subject, ingestionSettingId } = state;
  const nothing = async (): Promise<void> => {};
  const about = { dataSourceId: id, tenant, subject, ingestionSettingId, context };
  const job: Job = { ...about, state: state.job, begin: nothing, progress: nothing, stillOurs };
  const documents = { ...openDocuments(deps, job, 'push'), read: async () => (read === null ? [] : [read]) };
  const listing = {
    list: async () => ({ items: [], next: null }),
    fetch: async () => ({ kind: 'document', document: found }) as const,
  };
  // Whoever reports next tells of progress, where that is due: counting is not cheap.
  const itemStore = { ...deps.itemStore, counts: async () => NO_COUNTS };
  const run = {
    ingestion: { job, documents },
    listing,
    run: runOf(id, state),
    fetches: 1,
    again: true,
  } as const;
  await deps.itemStore.forgetRows(run.run, locator);
  await visitItems({ ...deps, itemStore }, run, [{ locator, fingerprint }], new AbortController().signal);
  const position = documents.written();
  return position === '' ? null : position;
};
