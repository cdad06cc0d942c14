import type { Request, Response } from 'express';

/** Other origins whose pages may read responses: none, the named ones, or all with `'*'`. */
export type CorsOrigins = readonly string[];

/** Request headers of operations, in addition to those that browsers send by default. */
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, if-none-match, if-range, last-event-id, ' +
  'mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, range, traceparent, ' +
  'tracestate, x-api-key, x-min-position, x-request-id';
/**
 * Response headers, in addition to those that pages may always read (Fetch, "CORS-safelisted response-header name").
 */
export const EXPOSED_HEADERS: readonly string[] = [
  'accept-encoding',
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-range',
  'etag',
  'idempotent-replayed',
  'location',
  'mcp-session-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-assistant-message-id',
  'x-conversation-id',
  'x-position',
  'x-request-id',
  'x-user-message-id',
];
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
/** How long a browser may cache a preflight response, in seconds. */
const MAX_AGE = '600';

/**
 * Lets pages of other origins read responses (Fetch, section 3.3). A page sends its key itself: credentials that the
 * browser adds, such as cookies, are never allowed, so that a page reaches no further than its own key.
 *
 * @returns whether the request was a preflight, which is answered now
 */
export const createCors = (origins: CorsOrigins): ((req: Request, res: Response) => boolean) => {
  if (origins.length === 0) return () => false;
  const any = origins.includes('*');
  const known = new Set(origins);
  return (req, res) => {
    // A cache must not give one origin the response to another.
    if (!any) res.setHeader('vary', 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !(any || known.has(origin))) return false;
    res.setHeader('access-control-allow-origin', any ? '*' : origin);
    const asked = req.headers['access-control-request-method'];
    if (req.method !== 'OPTIONS' || asked === undefined) {
      res.setHeader('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
      return false;
    }
    res.setHeader('access-control-allow-methods', METHODS);
    res.setHeader('access-control-allow-headers', REQUEST_HEADERS);
    res.setHeader('access-control-max-age', MAX_AGE);
    res.statusCode = 204;
    res.end();
    return true;
  };
};

/** What is wrong with an origin, as a message for the operator; undefined when it is valid. */
export const originProblem = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.includes('*')) {
    return 'is not an origin: write each as https://app.example.com or http://localhost:5173, or one * for all';
  }
  // Browsers send exactly this form.
  return url.origin === text ? undefined : `never comes from a browser: write ${url.origin}`;
};
