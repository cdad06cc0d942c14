import type { EventFilter } from '../../../application/ports/event-store.ts';
import type { ViewName } from '../../../application/ports/read-gate.ts';
import type { ProjectedEvent } from '../../../application/event-sourcing/projected-event.ts';
import type { Sql } from '../database-schema.ts';

/** Most events in a batch of a projection that does not say it. */
export const BATCH = 2_000;

/**
 * A read model: tables in a schema of their own, filled from the feed.
 *
 * Every version of a view has its own schema (`catalog_v3`), so that a rebuild fills version n+1 beside the live one.
 * The live version's tables are exposed as SQL views of the same names in schema `read`; queries read only those.
 */
export interface Projection {
  readonly view: ViewName;
  /** Raise it when tables or row functions change: a start then builds a new version beside the live one. */
  readonly shape: number;
  readonly filter: EventFilter;
  /** Most events in one batch, and so in memory with what they bring along; default BATCH. */
  readonly batchSize?: number;
  /**
   * Whether events of this type can change anything; absent: all can. Over others the checkpoint moves without `apply`.
   * It is not asked of a type that this version does not know, which may mean anything.
   */
  readonly concerns?: (type: string) => boolean;
  /** Whether `apply` is given UnknownEvents of the filter's categories. Without it such an event halts the view. */
  readonly takesUnknown?: boolean;
  /** Tables that queries may read, as `read.<table>`. */
  readonly tables: readonly string[];
  /** Creates the empty tables in `schema`, which exists. */
  readonly create: (trx: Sql, schema: string) => Promise<void>;
  /**
   * Applies a batch in position order, in the transaction that moves the checkpoint. Applying an event that a row's
   * revision already holds changes nothing. Throws when an event cannot be applied: nothing of the batch is kept.
   */
  readonly apply: (trx: Sql, schema: string, events: readonly ProjectedEvent[]) => Promise<void>;
  /**
   * What follows when events have become visible in the live version, in the process that moved it: it comes before any
   * reader is told that the view is there. Must not throw.
   */
  readonly onMoved?: () => void;
}
