import type { RawBuilder } from 'kysely';

/** What the tables of this database say of one kind of work. Each question is to be served by an index. */
export interface WorkKind {
  readonly kind: string;
  /** Selects `id, tenant, since` of what is owed; `since`: Unix milliseconds, what is owed for longest comes first. */
  readonly owed: (now: number) => RawBuilder<unknown>;
  /**
   * Selects `tenant`: all of which something is owed, and others at will, by a look at an index for each. Then `owed` is asked
   * for each of them, for the little that can be claimed at once, and has an index that begins with the tenant. Absent: all
   * that is owed is looked through by every claim.
   */
  readonly tenants?: RawBuilder<unknown>;
  /**
   * Selects `id, tenant, overdue, claim` of what somebody should be at work on: whether a limit has passed, and, as
   * jsonb, what the handler of this kind has to know of the claim. Absent: its lease is all there is of such work.
   */
  readonly underWay?: (now: number) => RawBuilder<unknown>;
}
