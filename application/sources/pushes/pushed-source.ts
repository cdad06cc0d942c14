import { source } from '../../../domain/source/decider.ts';
import { type SourceEvent } from '../../../domain/source/events.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { SourceRecord } from '../../ports/catalog.ts';
import type { RowContext } from '../../read-models/data-source-row.ts';
import { type SourceRow, sourceRow } from '../../read-models/source-row.ts';
import { sourceStream } from '../../event-sourcing/streams.ts';

/** A document as it is read, with the number of its chunks. */
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

/** A document as its stream tells it: see `rowOf`. */
const pushedSource = {
  category: source.category,
  initial: { row: null, next: 0 },
  evolve: ({ row, next }: PushedSource, event: SourceEvent): PushedSource => ({
    row: pushedSourceRow(row, event, { id: '', tenant: '', revision: BigInt(next) }),
    next: next + 1,
  }),
};

/** The document of this id; null where there is none, or none any more. */
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

/** As the catalog will tell it. */
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
