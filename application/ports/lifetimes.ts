import type { Position } from './event-store.ts';

/** Records of a list: all given conditions must hold. */
export interface LifetimeFilter {
  readonly tenant: string;
  /** As in `LifetimeChange`; several are one list, by id. */
  readonly list: string | readonly string[];
  /** The principal of a conversation, thread or run (empty: none), or the source group of a source or binding. */
  readonly owner?: string;
  /** The thread of a run, or the tag of a binding. */
  readonly parent?: string;
  /** Only these records. */
  readonly ids?: readonly string[];
  /** Only records of these owners. */
  readonly owners?: readonly string[];
}

export interface LifetimePage {
  /** In the order of the list. */
  readonly ids: readonly string[];
  readonly hasMore: boolean;
  readonly total: number;
}

/**
 * When the records of lists began and ended: an index of the log, by which a list is read as it was. Eventually
 * consistent: see ReadGate, view `lifetime`.
 */
export interface Lifetimes {
  /**
   * The ids of records that had begun and not ended by then. Descending by id; sources by their first appearance, newest
   * first; policies and principals ascending by name, code point by code point. `total` counts all of the filter.
   *
   * @param then a time in Unix milliseconds, or a position, inclusive
   * @throws DomainError invalid_cursor if `after` names no record that was ever in this list; a name may be any
   */
  readonly alive: (
    filter: LifetimeFilter,
    then: { readonly at: number } | { readonly position: Position },
    page: { readonly limit: number; readonly after?: string },
  ) => Promise<LifetimePage>;
}
