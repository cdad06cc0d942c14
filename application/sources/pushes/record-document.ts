import { type ExistingDataSource, NO_COUNTS } from '../../../domain/data-source/index.ts';
import { type SourceState, source } from '../../../domain/source/decider.ts';
import type { SourceEvent } from '../../../domain/source/events.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute, LastSeen } from '../../event-sourcing/execute.ts';
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
 * @returns the position of the newest fact; null: nothing has changed; and the document after it
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
    stored,
    assertLeaseHeld,
  }: {
    readonly id: string;
    readonly state: ExistingDataSource;
    readonly document: PushedDocument;
    readonly known: KnownItems;
    readonly read: ReadOutcome | null;
    readonly stored: StoredDocument;
    readonly assertLeaseHeld: () => void;
  },
): Promise<{ readonly position: Position | null; readonly stored: StoredDocument }> => {
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
  let after = stored;
  const opened = openDocuments(deps, job, 'push', {
    lastSeen: { state: stored.state.source, revision: stored.revision },
    onRecorded: ({ events, revision }) => {
      after = { state: events.reduce(pushedSource.evolve, stored.state), revision };
    },
  });
  const documents = { ...opened, read: async () => (read === null ? [] : [read]) };
  const listing = {
    list: async () => ({ items: [], next: null }),
    fetch: async () => ({ kind: 'document', document: found }) as const,
  };
  // `recordReport` records progress when it is due, because counting is expensive.
  const itemStore: ItemStore = {
    ...deps.itemStore,
    known: async () => known,
    counts: async () => NO_COUNTS,
    commit: (visit, visited) => deps.itemStore.commitVersion(visit, locator, visited),
  };
  const run = {
    ingestion: { job, documents },
    listing,
    run: runOf(id, state),
    fetches: 1,
    again: true,
  } as const;
  await visitItems({ ...deps, itemStore }, run, [{ locator, fingerprint }], new AbortController().signal);
  const position = documents.written();
  // Another writer came in between: what it wrote is missing.
  if (after.revision !== 'none' && after.revision !== BigInt(after.state.next) - 1n)
    after = await loadPushed(deps.execute, tenant, documents.idOf(locator));
  return { position: position === '' ? null : position, stored: after };
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
  /** For decisions. */
  readonly source: SourceState;
  readonly row: PushedSourceRow | null;
  /** Revision of the next event. */
  readonly next: number;
}

/** A document folded from its stream. */
const pushedSource = {
  category: source.category,
  initial: { source: source.initial, row: null, next: 0 },
  evolve: ({ source: before, row, next }: PushedSource, event: SourceEvent): PushedSource => ({
    source: source.evolve(before, event),
    row: pushedSourceRow(row, event, { id: '', tenant: '', revision: BigInt(next) }),
    next: next + 1,
  }),
};

/** A document as its stream has it, which may be empty. */
export type StoredDocument = LastSeen<PushedSource>;

export const loadPushed = async (
  { load }: Pick<Execute, 'load'>,
  tenant: string,
  id: string,
): Promise<StoredDocument> => {
  const found = await load(pushedSource, sourceStream(id), tenant);
  return found ?? { state: pushedSource.initial, revision: 'none' };
};

/** The row of the document with this id; null if it does not exist or was removed. */
export const rowIn = (
  { state: { row } }: StoredDocument,
  tenant: string,
  id: string,
): PushedSourceRow | null => (row === null || row.status === 'removed' ? null : { ...row, id, tenant });

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
