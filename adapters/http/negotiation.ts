import type { Request } from 'express';
import { HttpProblem } from './problem.ts';

const ANY = new Set(['*/*', 'application/json']);

/**
 * The media type to answer with: the caller's preference among `offers` (RFC 9110, section 12.5.1); the first where
 * it has none.
 *
 * @throws HttpProblem not_acceptable
 */
export const negotiate = (req: Request, offers: readonly [string, ...string[]]): string => {
  const { accept } = req.headers;
  if (accept === undefined || ANY.has(accept)) return offers[0];
  const best = req.accepts([...offers]);
  if (best === false) {
    throw new HttpProblem('not_acceptable', `this answers with ${offers.join(' or ')} only`);
  }
  return best;
};
