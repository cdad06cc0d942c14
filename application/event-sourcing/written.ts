import type { Position } from '../ports/event-store.ts';

/** The answer to a write: the record folded from the events just stored, and where they stand in the log. */
export interface Written<Record> {
  readonly record: Record;
  readonly position: Position;
  /** False: the command changed nothing. */
  readonly changed: boolean;
  /** The request was repeated with its Idempotency-Key, and this is its first answer again. */
  readonly replayed?: boolean;
}
