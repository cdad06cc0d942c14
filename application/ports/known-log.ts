import type { Position } from './event-store.ts';

/** What a log shows of itself at one moment, without waiting for anything. */
export interface LogLook {
  /** Where it ends: the newest event of all; BEGINNING of an empty log. */
  readonly end: Position;
  /** See `LOG_IDENTITY`; null where the log has none. */
  readonly identity: string | null;
}

export interface LogAnswer extends LogLook {
  /** Whether the place that was asked for lies in the log still; false only where that is certain. */
  readonly holds: boolean;
}

/** What is known of the log beside the checkpoints of the views, which mean nothing to any other log. */
export interface KnownLog {
  /** The identity that was kept, null: none yet; and the farthest checkpoint of a live view. */
  readonly read: () => Promise<LogLook>;
  /** Keeps the identity where none is kept. */
  readonly keep: (identity: string) => Promise<void>;
  /** Keeps it whatever was kept before: the views have been made anew from this log. */
  readonly replace: (identity: string) => Promise<void>;
}
