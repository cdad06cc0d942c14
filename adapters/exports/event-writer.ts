import type { ExportPage } from '../../application/audit/export-log.ts';
import type { Position } from '../../application/ports/event-store.ts';

/** What is written durably. */
export interface Written {
  readonly events: number;
  readonly position: Position;
  /** Bytes of a file of lines, or files of Parquet. */
  readonly size: number;
}

/** A file of one format, open at `Written`: what a killed process wrote after it is written over. */
export interface EventWriter {
  /** Returns what is written durably now, which may lag behind the pages. */
  readonly write: (page: ExportPage) => Promise<Written>;
  /** Everything is durable then. */
  readonly close: () => Promise<Written>;
}
