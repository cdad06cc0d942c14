import type { Position } from './event-store.ts';
import type { ViewName } from './read-gate.ts';

/** Views of which callers may rely on the last answer, however far the view is behind. */
export const MARKED_VIEWS = [
  'conversation',
  'agent_thread',
  'agent_run',
  'ingestion_setting',
  'redaction_policy',
] as const satisfies readonly ViewName[];
export type MarkedView = (typeof MARKED_VIEWS)[number];

/** What a mark tells of a row: all that reads of its view need. */
export interface MarkedRow {
  readonly id: string;
  readonly tenant: string;
  /** Of the fact that made the row, in the stream of its aggregate. */
  readonly revision: bigint;
}

/**
 * Rows told beside their views: every read of the view that begins after a mark was put goes by the mark, in any
 * process, until the view holds that revision or a later one. A mark follows its fact, and the answer to the caller
 * follows the mark: a crash in between leaves a fact that nobody was told of, which the view comes to by itself.
 */
export interface RowMarks {
  /** The row is as given. A mark of an older revision changes nothing. `position` is that of the fact. */
  readonly put: (view: MarkedView, row: MarkedRow, position: Position) => Promise<void>;
  /** The row is gone, as of the revision. */
  readonly gone: (view: MarkedView, row: MarkedRow, position: Position) => Promise<void>;
  /** Takes away the marks of which the view has come to know. To be called when it has moved. */
  readonly forgetKnown: (view: MarkedView) => Promise<void>;
}
