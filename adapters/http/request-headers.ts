import type { Request } from 'express';
import type { EventFeed, Position } from '../../application/ports/event-store.ts';
import type { ReadGate, ViewName } from '../../application/ports/read-gate.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { HttpProblem } from './problem.ts';

const noPosition = (): HttpProblem =>
  new HttpProblem('invalid_request', 'x-min-position must be an x-position that a write answered');

const holds = async (log: Pick<EventFeed, 'holds'>, position: Position): Promise<boolean> => {
  try {
    return await log.holds(position);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_cursor') return false;
    throw error;
  }
};

/** Positions are opaque; this is what every adapter's fit into. */
export const POSITION = '^[0-9A-Za-z][0-9A-Za-z._:-]{0,127}$';
const position = new RegExp(POSITION);
export const isPosition = (text: string): boolean => position.test(text);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const LONGEST_WAIT_MS = 2_000;

/** @throws HttpProblem invalid_request */
export const idempotencyKeyOf = (req: Request): string | undefined => {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new HttpProblem('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
};

/**
 * Waits until `views` hold what stands at the caller's `x-min-position`. A place to which the log has not come is
 * refused at once: no view would ever reach it, and who is told to try again would do so for ever.
 *
 * @throws HttpProblem invalid_request; unavailable when that takes longer than two seconds
 */
export const awaitPosition = async (
  req: Request,
  { gate, log }: { readonly gate: ReadGate; readonly log: Pick<EventFeed, 'holds'> },
  views: readonly ViewName[],
): Promise<void> => {
  const wanted: Position | string[] | undefined = req.headers['x-min-position'];
  if (wanted === undefined) return;
  if (typeof wanted !== 'string' || !isPosition(wanted)) throw noPosition();
  if (views.length === 0 || (await gate.reached(views, wanted, 0))) return;
  if (!(await holds(log, wanted))) throw noPosition();
  if (await gate.reached(views, wanted, LONGEST_WAIT_MS)) return;
  const message = 'the read model has not reached x-min-position yet: try again';
  throw new HttpProblem('unavailable', message, { 'retry-after': '1' });
};
