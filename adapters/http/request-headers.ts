import type { Request } from 'express';
import type { Position } from '../../application/ports/event-store.ts';
import type { ReadGate, ViewName } from '../../application/ports/read-gate.ts';
import { HttpProblem } from './problem.ts';

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
 * Waits until `views` hold what stands at the caller's `x-min-position`.
 *
 * @throws HttpProblem invalid_request; unavailable when that takes longer than two seconds
 */
export const awaitPosition = async (
  req: Request,
  gate: ReadGate,
  views: readonly ViewName[],
): Promise<void> => {
  const wanted: Position | string[] | undefined = req.headers['x-min-position'];
  if (wanted === undefined) return;
  if (typeof wanted !== 'string' || !isPosition(wanted)) {
    throw new HttpProblem('invalid_request', 'x-min-position must be an x-position that a write answered');
  }
  if (views.length === 0 || (await gate.reached(views, wanted, LONGEST_WAIT_MS))) return;
  const message = 'the read model has not reached x-min-position yet: try again';
  throw new HttpProblem('unavailable', message, { 'retry-after': '1' });
};
