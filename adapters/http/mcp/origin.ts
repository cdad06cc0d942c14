import type { Request } from 'express';
import type { CorsOrigins } from '../cors.ts';
import { HttpProblem } from '../problem.ts';

/**
 * Refuses what a page in a browser sends, unless the operator lets its origin in (Model Context Protocol, transports,
 * "Security Warning"). A page whose name was bound to this machine has that name as its origin and as the Host, so that
 * these are not compared with each other.
 *
 * @throws HttpProblem origin_not_allowed
 */
export const mustComeFromAllowed = ({ headers }: Request, origins: CorsOrigins): void => {
  const { origin } = headers;
  const isBrowser = origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (!isBrowser || (origin !== undefined && (origins.includes('*') || origins.includes(origin)))) return;
  throw new HttpProblem(
    'origin_not_allowed',
    'pages of this origin may not speak MCP here: the operator names those that may in KNOWLEDGER_CORS_ORIGINS',
  );
};
