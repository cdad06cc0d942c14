import { type ExistingDataSource, NO_COUNTS } from '../../../domain/data-source/index.ts';
import { source } from '../../../domain/source/decider.ts';
import type { SourceEvent } from '../../../domain/source/events.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { sourceStream } from '../../event-sourcing/streams.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import type { Position } from '../../ports/event-store.ts';
import type { ItemStore } from '../../ports/item-store.ts';
import type { RowContext } from '../../read-models/data-source-row.ts';
import { type SourceRow, sourceRow } from '../../read-models/source-row.ts';
import { type DocumentsDeps, openDocuments } from '../ingestion/documents.ts';
import type { Job } from '../ingestion/job.ts';
import { visitItems } from '../ingestion/listed/visit-items.ts';
import type { ReadOutcome } from '../ingestion/read-documents.ts';
import type { PushedDocument } from './read-document.ts';
import { runOf } from './report.ts';

export interface RecordPushedDeps extends DocumentsDeps {
  readonly itemStore: ItemStore;
}

/**
 * What remains to do for a pushed version: nothing if this job has already seen it, a visit if an earlier job has read
 * it, otherwise reading.
 */
export type RemainingWork = 'nothing' | 'visit' | 'reading';

export const remainingWork = async (
  { itemStore }: Pick<RecordPushedDeps, 'itemStore'>,
  id: string,
  state: ExistingDataSource,
  { locator, fingerprint }: PushedDocument,
): Promise<{ readonly work: RemainingWork; readonly known: KnownItems }> => {
  const known = await itemStore.known(runOf(id, state), [locator]);
  const before = known.get(locator);
  if (before === undefined || before.failed || before.fingerprint !== fingerprint)
    return { work: 'reading', known };
  if (before.seen) return { work: 'nothing', known };
  return { work: state.job.mode === 'incremental' ? 'visit' : 'reading', known };
};
/** What the item store knows of a document, by its locator. */
type KnownItems = Awaited<ReturnType<ItemStore['known']>>;

/**
 * Records a version as a job records a listed item: the fact first, then the item store. Its files must already be in
 * the area of the push.
 *
 * @param known under the lock
 * @param read null: an earlier job has read it
 * @returns the position of the newest fact; null: nothing has changed
 */
export const recordPushed = async (
  deps: RecordPushedDeps,
  { tenant, context }: Caller,
  {
    id,
    state,
    document: { locator, fingerprint, found },
    known,
    read,
    assertLeaseHeld,
  }: {
    readonly id: string;
    readonly state: ExistingDataSource;
    readonly document: PushedDocument;
    readonly known: KnownItems;
    readonly read: ReadOutcome | null;
    readonly assertLeaseHeld: () => void;
  },
): Promise<Position | null> => {
  const { subject, ingestionSettingId } = state;
  const nothing = async (): Promise<void> => {};
  const about = { dataSourceId: id, tenant, subject, ingestionSettingId, context };
  const job: Job = {
    ...about,
    state: state.job,
    begin: nothing,
    progress: nothing,
    yieldSlot: nothing,
    assertLeaseHeld,
  };
  const documents = { ...openDocuments(deps, job, 'push'), read: async () => (read === null ? [] : [read]) };
  const listing = {
    list: async () => ({ items: [], next: null }),
    fetch: async () => ({ kind: 'document', document: found }) as const,
  };
  // `recordReport` records progress when it is due, because counting is expensive.
  const itemStore = { ...deps.itemStore, known: async () => known, counts: async () => NO_COUNTS };
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

/** A document with the number of its chunks. */
export interface PushedSourceRow extends SourceRow {
  readonly chunks: number;
}

const pushedSourceRow = (
  row: PushedSourceRow | null,
  event: SourceEvent,
  of: RowContext,
): PushedSourceRow | null => {
  const next = sourceRow(row, event, of);
  return next && { ...next, chunks: chunksAfter(row, event) };
};

const chunksAfter = (row: PushedSourceRow | null, event: SourceEvent): number => {
  if (event.type === 'SourceIndexed') return event.chunkSet.chunks;
  return event.type === 'SourceSkipped' || event.type === 'SourceRemoved' ? 0 : (row?.chunks ?? 0);
};

interface PushedSource {
  readonly row: PushedSourceRow | null;
  /** Revision of the next event. */
  readonly next: number;
}

/** A document folded from its stream. */
const pushedSource = {
  category: source.category,
  initial: { row: null, next: 0 },
  evolve: ({ row, next }: PushedSource, event: SourceEvent): PushedSource => ({
    row: pushedSourceRow(row, event, { id: '', tenant: '', revision: BigInt(next) }),
    next: next + 1,
  }),
};

/** The document with this id; null if it does not exist or was removed. */
export const loadPushed = async (
  execute: Pick<Execute, 'load'>,
  tenant: string,
  id: string,
): Promise<PushedSourceRow | null> => {
  const found = await execute.load(pushedSource, sourceStream(id), tenant);
  const row = found?.state.row ?? null;
  return row === null || row.status === 'removed' ? null : { ...row, id, tenant };
};

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** The record that the catalog will return. */
export const recordOf = (row: PushedSourceRow): SourceRecord => {
  const { indexed } = row;
  return {
    id: row.id,
    sourceGroupId: row.dataSourceId,
    sourceType: row.sourceType,
    title: row.title,
    url: row.url,
    locator: row.locator,
    fileType: indexed?.fileType ?? null,
    language: indexed?.language ?? null,
    mediaType: indexed?.mediaType ?? null,
    size: indexed?.rawBytes ?? null,
    sha256: indexed?.rawSha256 ?? null,
    status: row.status === 'removed' ? 'skipped' : row.status,
    skipReason: row.skipReason,
    error: row.error,
    lastSeenTime: seconds(row.lastSeenAt),
    indexedTime: indexed === null ? null : seconds(indexed.indexedAt),
    contentCount: row.chunks,
    contentMissing: false,
    metadata: row.metadata,
  };
};
