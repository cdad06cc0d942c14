import { DomainError } from '../../domain/shared/domain-error.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type { Position } from '../../application/ports/event-store.ts';
import { failureOf } from './failures.ts';

/** Where a record lies in the log: bytes from its beginning. Both are equal but for transactions of the old TCP client. */
export interface Place {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const WIDTH = 20;
const POSITION = /^(\d{20}):(\d{20})$/;
const LARGEST = 2n ** 63n - 1n;

export const positionOf = ({ commit, prepare }: Place): Position =>
  `${inDigits(commit)}:${inDigits(prepare)}`;

const inDigits = (place: bigint): string => String(place).padStart(WIDTH, '0');

/**
 * Null: before the first event.
 *
 * @throws DomainError invalid_cursor for a text that is no position
 */
export const fromPosition = (position: Position): Place | null => {
  if (position === BEGINNING) return null;
  const [, commit, prepare] = POSITION.exec(position) ?? [];
  if (!commit || !prepare || BigInt(commit) > LARGEST || BigInt(prepare) > LARGEST) {
    throw notAPosition(position);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
};

const notAPosition = (position: Position): DomainError => {
  const shown = JSON.stringify(position.slice(0, 100));
  return new DomainError(
    'invalid_cursor',
    `${shown} is not a position of this event log: take one from an answer`,
  );
};

/**
 * What a failed read from `position` means: a server refuses a commit position at which nothing begins, and stumbles over
 * a prepare position that is not the one of its commit. Of what is written today both are equal.
 */
export const failureAt = (position: Position, error: unknown): unknown => {
  const { kind, stumbled } = failureOf(error);
  const place = kind === 'bad_position' || stumbled === true ? fromPosition(position) : null;
  if (place === null) return error;
  return kind === 'bad_position' || place.commit !== place.prepare ? notAPosition(position) : error;
};

export const later = (a: Position, b: Position): Position => (a > b ? a : b);

/** Bytes of log between two positions. */
export const bytesBetween = (from: Position, to: Position): number =>
  Math.max(0, Number((fromPosition(to)?.commit ?? 0n) - (fromPosition(from)?.commit ?? 0n)));
