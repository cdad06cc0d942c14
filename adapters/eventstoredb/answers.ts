import type { CheckedEvent } from '../../application/ports/event-checks.ts';
import { MAX_REVISION } from '../../application/ports/event-store.ts';
import type { ExpectedRevision, Position } from '../../application/ports/event-store.ts';
import { judgedAs } from './failures.ts';
import { positionOf } from './positions.ts';
import { type BatchError, type BatchResponse, readCurrentRevision } from './wire/batch-responses.ts';

export interface Append {
  readonly stream: string;
  /** As the caller said it, and as a number: -1 for `none`. */
  readonly expected: ExpectedRevision;
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/** What the server says of an append that it has judged. */
export type Answer =
  /** Position of the last event; a repetition may be answered without. */
  | { readonly kind: 'done'; readonly revision: bigint; readonly position: Position | null }
  | { readonly kind: 'conflict'; readonly actual: bigint | 'none' };

/** @throws what `failureOf` understands, where the append was refused or failed */
export const answerOf = ({ error, revision, position }: BatchResponse): Answer =>
  error === null
    ? { kind: 'done', revision: revision ?? -1n, position: position && positionOf(position) }
    : conflictIn(error);

const CONFLICT = 'event_store.client.WrongExpectedVersion';

const conflictIn = ({ type, value, message }: BatchError): Answer => {
  if (type !== CONFLICT) throw judgedAs(type, message);
  const current = readCurrentRevision(value);
  // -1 comes as the largest number that fits.
  return { kind: 'conflict', actual: current === null || current > MAX_REVISION ? 'none' : current };
};
