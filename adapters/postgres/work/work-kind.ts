import type { RawBuilder } from 'kysely';

/** What the tables of this database say of one kind of work. Each question is to be served by an index. */
export interface WorkKind {
  readonly kind: string;
  /** Selects `id, tenant, since` of what is owed; `since`: Unix milliseconds, what is owed for longest comes first. */
  readonly owed: (now: number) => RawBuilder<unknown>;
  /**
   * Selects `id, tenant, overdue, claim` of what somebody should be at work on: whether a limit has passed, and, as
   * jsonb, what the handler of this kind has to know of the claim. Absent: its lease is all there is of such work.
   */
  readonly underWay?: (now: number) => RawBuilder<unknown>;
}
