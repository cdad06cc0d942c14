import type { Request as HttpRequest } from 'express';
import type { CorsOrigins } from '../cors.ts';
import { HttpProblem } from '../problem.ts';

/**
 * Refuses requests of pages in a browser, unless the operator allows their origin, or the page is of this machine and
 * asks at its loopback address (Model Context Protocol, transports, "Security Warning"). Origin and Host are not compared
 * with each other, because a page whose name was rebound to this machine has that name in both.
 *
 * @throws HttpProblem origin_not_allowed
 */
export const mustComeFromAllowed = ({ headers, socket }: HttpRequest, origins: CorsOrigins): void => {
  const { origin } = headers;
  const isBrowser = origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (origin !== undefined && isOfThisMachine(origin) && LOOPBACK.test(socket.localAddress ?? '')) return;
  if (!isBrowser || (origin !== undefined && (origins.includes('*') || origins.includes(origin)))) return;
  throw new HttpProblem(
    'origin_not_allowed',
    'pages of this origin may not use MCP here: the operator lists the allowed origins in KNOWLEDGER_CORS_ORIGINS',
  );
};

/** Addresses of this machine alone, IPv4 ones also as IPv6 writes them. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i;

/** A page of this machine: a name that was rebound to it is still the name of another. */
const isOfThisMachine = (origin: string): boolean => {
  const { hostname = '' } = URL.parse(origin) ?? {};
  return hostname === 'localhost' || LOOPBACK.test(hostname.replaceAll(/[[\]]/g, ''));
};
