import type { MetadataRecord, SourceEvent, SourceType } from '../../domain/source/events.ts';

import type { RowContext } from './data-source-row.ts';

/** What the newest version of the document is, as far as it was indexed. */
export interface IndexedVersion {
  readonly fileType: string;
  /** BCP 47, where it is known. */
  readonly language?: string;
  readonly mediaType: string;
  readonly rawSha256: string;
  readonly rawBytes: number;
  readonly chunkSetSha256: string;
  /** Unix milliseconds, like all `…At`. */
  readonly indexedAt: number;
}

/** One document as it is read. A removed one stays as a row that no read shows, so that old cursors go on working. */
export interface SourceRow {
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly locator: string;
  readonly url: string;
  readonly title: string;
  readonly status: 'indexed' | 'skipped' | 'failed' | 'removed';
  readonly skipReason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null where nothing is readable. A failed attempt leaves what an earlier one indexed. */
  readonly indexed: IndexedVersion | null;
  readonly metadata: readonly MetadataRecord[];
  readonly generation: number;
  readonly lastSeenAt: number;
  /** Revision of the newest event that this row holds. */
  readonly revision: bigint;
}

/**
 * `(row | null, event) -> row`: an event that the row already holds changes nothing. What follows without a visit
 * before it belongs to a document whose data source is gone, and leads to no row.
 */
export const sourceRow = (
  row: SourceRow | null,
  event: SourceEvent,
  { id, tenant, revision }: RowContext,
): SourceRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'SourceIndexed':
      return { ...seen(row, event, id, tenant), ...indexed(event), revision };
    case 'SourceSkipped': {
      const { reason } = event;
      return {
        ...seen(row, event, id, tenant),
        ...about(event),
        status: 'skipped',
        skipReason: reason,
        indexed: null,
        revision,
      };
    }
    case 'SourceFailed': {
      const error = { code: event.code, message: event.message };
      return { ...seen(row, event, id, tenant), ...found(row, event), status: 'failed', error, revision };
    }
    case 'SourceRemoved':
      return row && { ...row, status: 'removed', indexed: null, metadata: [], revision };
    case 'SourceMetadataReplaced':
      return row && { ...row, metadata: event.records, revision };
    case 'SourceMetadataDeleted':
      return row && { ...row, metadata: [], revision };
  }
};

type Visited = Extract<SourceEvent, { locator: string }>;

const seen = (
  row: SourceRow | null,
  event: Visited,
  id: string,
  tenant: string,
): Omit<SourceRow, 'revision'> => ({
  id,
  tenant,
  dataSourceId: event.dataSourceId,
  sourceType: event.sourceType,
  locator: event.locator,
  url: row?.url ?? event.locator,
  title: row?.title ?? '',
  status: 'indexed',
  skipReason: null,
  error: null,
  indexed: row?.indexed ?? null,
  metadata: row?.metadata ?? [],
  generation: event.generation,
  lastSeenAt: event.at,
});

/** Where an earlier version is readable, its title and address stand. */
const found = (
  row: SourceRow | null,
  event: Extract<SourceEvent, { type: 'SourceFailed' }>,
): Partial<SourceRow> => ((row?.indexed ?? null) === null ? about(event) : {});

const about = ({
  url,
  title,
}: Extract<SourceEvent, { type: 'SourceFailed' | 'SourceSkipped' }>): Partial<SourceRow> => ({
  ...(url !== undefined && { url }),
  ...(title !== undefined && { title }),
});

const indexed = (
  event: Extract<SourceEvent, { type: 'SourceIndexed' }>,
): Pick<SourceRow, 'url' | 'title' | 'indexed'> => ({
  url: event.url,
  title: event.title,
  indexed: {
    fileType: event.fileType,
    ...(event.language !== undefined && { language: event.language }),
    mediaType: event.mediaType,
    rawSha256: event.raw.sha256,
    rawBytes: event.raw.bytes,
    chunkSetSha256: event.chunkSet.sha256,
    indexedAt: event.at,
  },
});
