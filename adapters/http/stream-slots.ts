import type { Request, Response } from 'express';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import { HttpProblem } from './problem.ts';
import type { StopSignals } from './stop-steps.ts';

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perKey: number;
  /** Of all keys together, in this process. */
  readonly inAll: number;
}
const STREAM_LIMITS: StreamLimits = { perKey: 20, inAll: 500 };

const RETRY_S = 5;

/**
 * Takes a place for the stream that `res` is to become; it is free again when the response has closed, however that
 * came about.
 *
 * @throws HttpProblem rate_limited with Retry-After when the key, or the process, has no place left
 */
export type TakeStreamSlot = (keyId: string, res: Response) => void;

/** What streams need beside their source. */
export interface StreamDeps {
  /** What a stream tells is held back until the views show it. */
  readonly gate: ReadGate;
  readonly stop: StopSignals;
  readonly keepAliveMs?: number | undefined;
  readonly takeSlot: TakeStreamSlot;
  /** Whether the key of a request that is still being answered would be let in now. */
  readonly stillAllowed: (req: Request, scope: Scope) => Promise<boolean>;
}

/** Streams hold a connection and a place in the event feed for as long as their client likes: so they are counted. */
export const createStreamSlots = ({ perKey, inAll }: StreamLimits = STREAM_LIMITS): TakeStreamSlot => {
  const open = new Map<string, number>();
  let total = 0;

  const change = (keyId: string, by: 1 | -1): void => {
    total += by;
    const left = (open.get(keyId) ?? 0) + by;
    if (left === 0) open.delete(keyId);
    else open.set(keyId, left);
  };

  return (keyId, res) => {
    if ((open.get(keyId) ?? 0) >= perKey) throw full(`this key has ${perKey} streams open: close one`);
    if (total >= inAll) throw full(`this service has ${inAll} streams open, which is all that it gives`);
    // A client that has gone already closes no second time.
    if (res.closed) return;
    change(keyId, 1);
    res.once('close', () => change(keyId, -1));
  };
};

const full = (message: string): HttpProblem =>
  new HttpProblem('rate_limited', message, { 'retry-after': String(RETRY_S) });
