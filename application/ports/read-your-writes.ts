import type { ApiKeyRow } from './access-views.ts';
import type { Position } from './event-store.ts';
import type { ViewName } from './read-gate.ts';

/**
 * What callers were told, stored until the read models catch up: rows in answers, keys, and tombstones of removed
 * records. Every read that begins after an entry was written uses the entry, in any process, however far the
 * projections lag.
 *
 * An entry is written after its event, and before the answer to the caller. After a crash in between, no caller knows
 * of the event, and the read models catch up with it.
 */

/** Views for which callers may rely on the last answer, however far the view lags. */
export const OVERLAID_VIEWS = [
  'conversation',
  'agent_thread',
  'agent_run',
  'ingestion_setting',
  'redaction_policy',
] as const satisfies readonly ViewName[];
export type OverlaidView = (typeof OVERLAID_VIEWS)[number];

/** The columns that every overlaid row has. */
export interface OverlaidRow {
  readonly id: string;
  readonly tenant: string;
  /** Revision of the event that produced the row, in the stream of its aggregate. */
  readonly revision: bigint;
}

/** Rows that replace those of their view until the view includes the same or a later revision. */
export interface RowOverlay {
  /** Stores the row. An older revision than the stored one changes nothing. `position` is that of the event. */
  readonly put: (view: OverlaidView, row: OverlaidRow, position: Position) => Promise<void>;
  /** Marks the row as removed at this revision. */
  readonly remove: (view: OverlaidView, row: OverlaidRow, position: Position) => Promise<void>;
  /** Deletes the entries that the view has caught up with. Call it after the view has advanced. */
  readonly prune: (view: OverlaidView) => Promise<void>;
}

/** Newest permissions of API keys, which override the view of keys. */
export interface ApiKeyOverlay {
  /** The key with the row's hash has the permissions in the row. `position` is that of the event. */
  readonly open: (row: ApiKeyRow, position: Position) => Promise<void>;
  /** The key with this hash is revoked. */
  readonly close: (keyHash: string, position: Position) => Promise<void>;
}

/** A document that was removed individually, by an event in its own stream. */
export interface SourceTombstone {
  readonly sourceId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  /** Revision of the event in the source's stream: older contents in the catalog are hidden. */
  readonly revision: bigint;
  /** The first job of the data source that may restore the document. Earlier jobs may still be running. */
  readonly generation: number;
  /** Position of the event in the log. */
  readonly position: Position;
  /** Hashes of the files of its last version; empty if nothing was readable. */
  readonly files: readonly string[];
}

/** Removed documents of one data source whose bytes are still to be deleted. */
export interface PendingErasure {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly sources: readonly Omit<SourceTombstone, 'dataSourceId' | 'tenant'>[];
}

/** Data sources and documents that reads must hide, even while the read models still contain them. */
export interface Tombstones {
  /** Hides a data source whose deletion was accepted. Idempotent. */
  readonly putDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
  /** Call it once the read models no longer contain the data source. */
  readonly removeDataSource: (dataSourceId: string) => Promise<void>;
  /** If the source already has a tombstone, the newer event wins. */
  readonly putSource: (source: SourceTombstone) => Promise<void>;
  /** Removes tombstones, except those that a newer event has replaced since. */
  readonly removeSources: (
    tombstones: readonly Pick<SourceTombstone, 'sourceId' | 'revision'>[],
  ) => Promise<void>;
  /**
   * Data sources with tombstones of documents, once all earlier jobs are over (queued ones too), up to `limit`.
   * Unordered.
   */
  readonly pendingErasures: (limit: number) => Promise<readonly PendingErasure[]>;
}
