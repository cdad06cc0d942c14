import type { Decider } from '../../domain/shared/decider.ts';
import type { RowContext } from './data-source-row.ts';

/** The state for decisions and the row for answers, at the same revision. */
export interface WithRow<State, Row> {
  readonly state: State;
  readonly row: Row | null;
  /** Revision of the next event. */
  readonly next: number;
}

/**
 * A decider that also folds the view's row, so that a write can be answered without reading the history. The state does
 * not know id and tenant of the row: `rowIn` adds them.
 */
export const withRow = <
  Command,
  Event,
  State,
  Row extends { readonly revision: bigint },
  Category extends string,
>(
  { category, initial, decide, evolve }: Decider<Command, Event, State, Category>,
  rowAfter: (row: Row | null, event: Event, of: RowContext) => Row | null,
): Decider<Command, Event, WithRow<State, Row>, Category> => ({
  category,
  initial: { state: initial, row: null, next: 0 },
  decide: (command, { state }) => decide(command, state),
  evolve: ({ state, row, next }, event) => ({
    state: evolve(state, event),
    row: rowAfter(row, event, { id: '', tenant: '', revision: BigInt(next) }),
    next: next + 1,
  }),
});

/** The row of the state, with id and tenant of its stream. */
export const rowIn = <Row>({ row }: WithRow<unknown, Row>, id: string, tenant: string): Row | null =>
  row && { ...row, id, tenant };
