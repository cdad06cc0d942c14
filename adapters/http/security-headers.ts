import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

export type Headers = readonly (readonly [name: string, value: string])[];
type Directives = Readonly<Record<string, string[]>>;

/**
 * Helmet's headers, computed once: they are the same for every answer. `upgrade-insecure-requests` stays off, because
 * it breaks the pages on plain HTTP; TLS is the business of the proxy in front.
 */
const helmetHeaders = (useDefaults: boolean, directives: Directives): Headers => {
  const headers: [string, string][] = [];
  const setHeader = (name: string, value: string) => headers.push([name.toLowerCase(), value]);
  const recorder = { setHeader, removeHeader: () => undefined } as unknown as ServerResponse;
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults, directives: { ...directives, upgradeInsecureRequests: null } },
  });
  middleware({} as IncomingMessage, recorder, () => undefined);
  return headers;
};

/** For answers that are data: nothing in them may load, run or be framed. */
export const API_HEADERS: Headers = [
  ...helmetHeaders(false, { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] }),
  ['cache-control', 'no-store'],
];

/** For the documentation pages: everything comes from this server. Swagger UI sets styles inline. */
export const PAGE_HEADERS: Headers = helmetHeaders(true, {
  defaultSrc: ["'self'"],
  fontSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
});
