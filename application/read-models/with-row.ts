import type { Decider } from '../../domain/shared/decider.ts';
import type { RowContext } from './data-source-row.ts';

/** The state that decisions need, and the row that answers tell, as of the same event. */
export interface WithRow<State, Row> {
  readonly state: State;
  readonly row: Row | null;
  /** Revision of the next event. */
  readonly next: number;
}

/**
 * A decider that folds a row beside the state, by the function that makes the row of the view: so a write is answered
 * without reading the history. Whose row it is, the state does not know: see `rowIn`.
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

/** The row in a state, of the stream that the state is of. */
export const rowIn = <Row>({ row }: WithRow<unknown, Row>, id: string, tenant: string): Row | null =>
  row && { ...row, id, tenant };
