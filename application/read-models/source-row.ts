import type { MetadataRecord, SourceEvent, SourceType } from '../../domain/source/events.ts';

import type { RowContext } from './data-source-row.ts';

/** Facts about the newest indexed version of a document. */
export interface IndexedVersion {
  readonly fileType: string;
  /** BCP 47, if known. */
  readonly language?: string;
  readonly mediaType: string;
  readonly rawSha256: string;
  readonly rawBytes: number;
  readonly chunkSetSha256: string;
  /** Unix milliseconds, like all `…At`. */
  readonly indexedAt: number;
}

/** A document. A removed document keeps a hidden row, so that old cursors stay valid. */
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
  /** Null if nothing is readable. A failed attempt keeps the version indexed before. */
  readonly indexed: IndexedVersion | null;
  readonly metadata: readonly MetadataRecord[];
  readonly generation: number;
  readonly lastSeenAt: number;
  /** Revision of the newest event included in this row. */
  readonly revision: bigint;
}

/**
 * `(row | null, event) -> row`. An event that the row already includes changes nothing. An event other than a visit
 * without a row belongs to a document of a deleted data source, and creates no row.
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

/** While an earlier version is readable, its title and URL stay. */
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
