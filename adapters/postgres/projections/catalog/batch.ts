import type { ContentRow } from '../../../../application/read-models/source-contents.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';

/** A document and its contents, while a batch is folded. */
export interface SourceState {
  /** Null where nothing is known, or nothing is left since its data source was deleted. */
  readonly row: SourceRow | null;
  readonly contents: readonly ContentRow[];
  /** The chunk set of the version that the row holds was not there. */
  readonly contentMissing: boolean;
  readonly keywords: readonly string[];
}

export interface StoredContent extends ContentRow {
  readonly no: number;
}
export interface StoredSource extends SourceState {
  readonly no: number;
  readonly row: SourceRow;
  readonly contents: readonly StoredContent[];
}

/** A data source that no read shows; once deleted, whatever else happens to its sources is ignored. */
export interface HiddenDataSource {
  readonly dataSourceId: string;
  readonly tenant: string;
  readonly deleted: boolean;
}

/** What the tables hold of the sources and data sources that a batch is about. */
export interface StoredBatch {
  readonly sources: ReadonlyMap<string, StoredSource>;
  readonly hidden: ReadonlyMap<string, HiddenDataSource>;
}

/** What they shall hold after it. */
export interface FoldedBatch {
  readonly sources: ReadonlyMap<string, SourceState>;
  readonly hidden: ReadonlyMap<string, HiddenDataSource>;
}

export const NO_SOURCE: SourceState = { row: null, contents: [], contentMissing: false, keywords: [] };
