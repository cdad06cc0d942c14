import type { Position } from './event-store.ts';

/**
 * Every view. The names are those of the tables in schema `read`, and are used by `npm run rebuild` and the health
 * report.
 */
export const VIEWS = [
  'data_source',
  'ingestion_setting',
  'api_key',
  'conversation',
  'agent_thread',
  'agent_run',
  'tag',
  'authz_policy',
  'authz_subject',
  'redaction_policy',
  'secret',
  'webhook',
  'lifetime',
  'catalog',
  'log_tree',
] as const;
/**
 * `search` exists only beside an engine outside of the catalog's database, and `log_collector` only where events are sent
 * to a collector.
 */
export type ViewName = (typeof VIEWS)[number] | 'search' | 'log_collector';

export interface ReadGate {
  /**
   * Resolves to true when the live version of every named view includes all events up to `position`; to false after
   * `timeoutMs`, or when `signal` aborts first.
   */
  readonly reached: (
    views: readonly ViewName[],
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ) => Promise<boolean>;
}

/** The read models did not include a required event in time: a projection is stuck or far behind. */
export class ReadModelsBehind extends Error {
  override readonly name = 'ReadModelsBehind';
}

/** The database answers, but the tables of the service are gone: it was emptied, or replaced by an empty one. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
  constructor() {
    super('its tables are gone: it was dropped, or replaced by an empty one');
  }
}

/** The state of a log at one moment, without waiting. */
export interface LogProbe {
  /** Position of the newest event; BEGINNING for an empty log. */
  readonly end: Position;
  /** See `LOG_IDENTITY_STREAM`; null if the log has none. */
  readonly identity: string | null;
}

export interface LogProbeAnswer extends LogProbe {
  /** Whether the log still contains the requested position; false only if that is certain. */
  readonly holds: boolean;
}

/**
 * The stored identity of the log. It accompanies the checkpoints of the views, which are meaningless for any other log.
 */
export interface KnownLog {
  /** The stored identity (null: none yet) and the highest checkpoint of a live view. */
  readonly read: () => Promise<LogProbe>;
  /** Stores the identity if none is stored. */
  readonly keep: (identity: string) => Promise<void>;
  /** Overwrites the stored identity after the views have been rebuilt from this log. */
  readonly replace: (identity: string) => Promise<void>;
}
