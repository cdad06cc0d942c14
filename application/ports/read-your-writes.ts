import type { Position } from './event-store.ts';
import type { ApiKeyRow } from './access-views.ts';
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

/**
 * What keys open, told beside the view of keys: from the moment that a mark is there, every look-up that begins then goes
 * by it, however far the view is behind. A mark follows its fact, and the answer to the caller follows the mark.
 */
export interface ApiKeyMarks {
  /** The key with the row's hash opens what the row says. `position` is that of the fact. */
  readonly open: (row: ApiKeyRow, position: Position) => Promise<void>;
  /** The key with this hash opens nothing any more. */
  readonly close: (keyHash: string, position: Position) => Promise<void>;
}

/** A document that was taken out by itself, by a fact in its stream. */
export interface WithheldSource {
  readonly sourceId: string;
  readonly dataSourceId: string;
  readonly tenant: string;
  /** Of the fact in the stream of the source: what the catalog holds of the time before is not shown. */
  readonly revision: bigint;
  /** The first job of the data source that may bring the document back. Earlier ones may still be running. */
  readonly generation: number;
  /** Where the fact stands in the log. */
  readonly position: Position;
  /** Hashes of the files of its last version: none where nothing was readable. */
  readonly files: readonly string[];
}

/** What is owed after documents of one data source were taken out: their bytes have to go. */
export interface OwedErasure {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly sources: readonly Omit<WithheldSource, 'dataSourceId' | 'tenant'>[];
}

/**
 * What no read may show any more although the read models may not know it yet. Kept beside them: from the moment that a
 * mark is there, no read of any process that begins then shows what it names, however far projections are behind.
 *
 * A mark follows its fact, and the answer to the caller follows the mark. A crash in between leaves a fact that nobody
 * was told of: the read models hide what it names when they come to it.
 */
export interface Withheld {
  /** A data source whose deletion was accepted. Marked again, nothing changes. */
  readonly withholdDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
  /** Takes the mark away, once the read models leave the data source out by themselves. */
  readonly releaseDataSource: (dataSourceId: string) => Promise<void>;
  /** Marked again, the newer fact counts. */
  readonly withholdSource: (source: WithheldSource) => Promise<void>;
  /** Takes marks away, unless a newer fact has marked the source since. */
  readonly releaseSources: (marks: readonly Pick<WithheldSource, 'sourceId' | 'revision'>[]) => Promise<void>;
  /**
   * Data sources with marked documents whose jobs of the time before are over, queued ones too, up to `limit`; unordered.
   */
  readonly owedErasures: (limit: number) => Promise<readonly OwedErasure[]>;
}
