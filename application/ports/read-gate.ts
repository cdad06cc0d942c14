import type { Position } from './event-store.ts';

/** Every view. A name is that of its table in schema `read`, and what `npm run rebuild` and the health of it call it. */
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
  'catalog',
] as const;
export type ViewName = (typeof VIEWS)[number];

export interface ReadGate {
  /**
   * Resolves true when the live version of every named view holds all events up to `position`, false when that takes
   * longer than `timeoutMs`, or when `signal` aborts before.
   */
  readonly reached: (
    views: readonly ViewName[],
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ) => Promise<boolean>;
}

/** What has to be seen in the read models is not there in time: a projection stands still, or has much to do. */
export class ReadModelsBehind extends Error {
  override readonly name = 'ReadModelsBehind';
}

/** What a log shows of itself at one moment, without waiting for anything. */
export interface LogProbe {
  /** Where it ends: the newest event of all; BEGINNING of an empty log. */
  readonly end: Position;
  /** See `LOG_IDENTITY`; null where the log has none. */
  readonly identity: string | null;
}

export interface LogProbeAnswer extends LogProbe {
  /** Whether the place that was asked for lies in the log still; false only where that is certain. */
  readonly holds: boolean;
}

/** What is known of the log beside the checkpoints of the views, which mean nothing to any other log. */
export interface KnownLog {
  /** The identity that was kept, null: none yet; and the farthest checkpoint of a live view. */
  readonly read: () => Promise<LogProbe>;
  /** Keeps the identity where none is kept. */
  readonly keep: (identity: string) => Promise<void>;
  /** Keeps it whatever was kept before: the views have been made anew from this log. */
  readonly replace: (identity: string) => Promise<void>;
}
