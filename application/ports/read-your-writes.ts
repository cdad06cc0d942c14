import type { ApiKeyRow } from './access-views.ts';
import type { Position } from './event-store.ts';
import type { ViewName } from './read-gate.ts';

/**
 * What callers were told, kept beside the read models until these have caught up: rows that an answer relied on, keys,
 * and tombstones of what was removed. Every read that begins after an entry was written goes by it, in any process,
 * however far the projections are behind.
 *
 * An entry is written after its event, and the answer to the caller after the entry. A crash in between leaves an event
 * that no caller was told of: the read models come to it by themselves.
 */

/** Views of which callers may rely on the last answer, however far the view is behind. */
export const OVERLAID_VIEWS = [
  'conversation',
  'agent_thread',
  'agent_run',
  'ingestion_setting',
  'redaction_policy',
] as const satisfies readonly ViewName[];
export type OverlaidView = (typeof OVERLAID_VIEWS)[number];

/** All of a row that reads of its view need. */
export interface OverlaidRow {
  readonly id: string;
  readonly tenant: string;
  /** Of the event that made the row, in the stream of its aggregate. */
  readonly revision: bigint;
}

/** Rows that count in place of those of their view, until the view holds the same revision or a later one. */
export interface RowOverlay {
  /** The row is as given. An older revision than the one known changes nothing. `position` is that of the event. */
  readonly put: (view: OverlaidView, row: OverlaidRow, position: Position) => Promise<void>;
  /** The row is gone, as of the revision. */
  readonly remove: (view: OverlaidView, row: OverlaidRow, position: Position) => Promise<void>;
  /** Deletes the entries that the view has caught up with. To be called when it has moved. */
  readonly prune: (view: OverlaidView) => Promise<void>;
}

/** What a key opens, in place of the view of keys. */
export interface ApiKeyOverlay {
  /** The key with the row's hash opens what the row says. `position` is that of the event. */
  readonly open: (row: ApiKeyRow, position: Position) => Promise<void>;
  /** The key with this hash opens nothing any more. */
  readonly close: (keyHash: string, position: Position) => Promise<void>;
}

/** A document that was removed by itself, by an event in its stream. */
export interface SourceTombstone {
  readonly sourceId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  /** Of the event in the stream of the source: older contents in the catalog are not shown. */
  readonly revision: bigint;
  /** The first job of the data source that may bring the document back. Earlier ones may still be running. */
  readonly generation: number;
  /** Position of the event in the log. */
  readonly position: Position;
  /** Hashes of the files of its last version: none where nothing was readable. */
  readonly files: readonly string[];
}

/** Documents of one data source that were removed and whose bytes have to be deleted. */
export interface PendingErasure {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly sources: readonly Omit<SourceTombstone, 'dataSourceId' | 'tenant'>[];
}

/** Data sources and documents that no read may show any more, although the read models may not know it yet. */
export interface Tombstones {
  /** For a data source whose deletion was accepted. Idempotent. */
  readonly putDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
  /** To be called once the read models leave the data source out by themselves. */
  readonly removeDataSource: (dataSourceId: string) => Promise<void>;
  /** Of two for one source, the newer event counts. */
  readonly putSource: (source: SourceTombstone) => Promise<void>;
  /** Removes tombstones, unless a newer event has replaced them since. */
  readonly removeSources: (
    tombstones: readonly Pick<SourceTombstone, 'sourceId' | 'revision'>[],
  ) => Promise<void>;
  /**
   * Data sources with tombstones of documents whose earlier jobs are over, queued ones too, up to `limit`; unordered.
   */
  readonly pendingErasures: (limit: number) => Promise<readonly PendingErasure[]>;
}
