import { refuseOtherMethods } from '../mount.ts';
import { PAGE_HEADERS } from '../request-headers.ts';
import { ErrorEnvelope } from '../schemas/common.ts';
import { headersOfProblem, PUBLIC_HEADERS } from './headers.ts';
import { REFUSED_BEFORE_REQUEST } from './problems.ts';
import type { EmitSchema, Json } from './schema.ts';
import type { IRouter, Response } from 'express';
import { createRequire } from 'node:module';

/** One file with everything that the page needs. */
const EXPLORER = createRequire(import.meta.url).resolve(
  'openapi-explorer/dist/browser/openapi-explorer.min.js',
);

const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Knowledger API</title>
    <link rel="icon" href="data:,">
    <script type="module" src="./explorer.js"></script>
  </head>
  <body>
    <openapi-explorer spec-url="../openapi.json"></openapi-explorer>
  </body>
</html>
`;

/**
 * Serves the document and a page that shows it, without external files.
 *
 * @param document creates the document on first use, so that a start need not wait for it
 */
export const mountDocs = (app: IRouter, document: () => Json): void => {
  let text: string | undefined;
  app.get('/', (_req, res) => res.redirect('/docs/'));
  app.get('/openapi.json', (_req, res) => {
    text ??= JSON.stringify(document());
    send(res, 'application/json; charset=utf-8', text);
  });
  app.get('/docs', (req, res) => {
    // Relative links on the page need the slash.
    if (!req.path.endsWith('/')) return res.redirect('/docs/');
    asPage(res);
    send(res, 'text/html; charset=utf-8', PAGE);
  });
  app.get('/docs/explorer.js', (_req, res) => {
    asPage(res);
    res.sendFile(EXPLORER);
  });
  for (const path of ['/', '/openapi.json', '/docs', '/docs/explorer.js'])
    refuseOtherMethods(app, path, ['GET']);
};

const asPage = (res: Response): void => {
  for (const [name, value] of PAGE_HEADERS) res.setHeader(name, value);
  res.setHeader('cache-control', 'no-cache');
};

const send = (res: Response, type: string, text: string): void => {
  res.setHeader('content-type', type);
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
};

const answer = (description: string, properties: { [name: string]: Json }): Json => ({
  description,
  headers: PUBLIC_HEADERS,
  content: {
    'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } },
  },
});
const status = { type: 'string' };
const reasons = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What is not ready, and why',
};
const details = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What is ready, but an operator should look at: streams of events that a view passes over',
};
const optional = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Parts that the service works without: `ready`, or why requests that need them are refused',
};

const oidcFields = {
  issuer: { type: 'string' },
  client_id: { type: 'string' },
  scope: { type: 'string', description: 'Whatever the issuer is to be asked for' },
  token: { type: 'string', enum: ['id_token', 'access_token'], description: 'Which one gives access here' },
  authorization_endpoint: { type: 'string' },
  token_endpoint: { type: 'string' },
  end_session_endpoint: { type: ['string', 'null'] },
};
const oidc = {
  type: ['object', 'null'],
  description: 'The issuer of OpenID Connect; null: none is configured',
  properties: oidcFields,
  required: Object.keys(oidcFields),
};

/** The OpenAPI description of the public endpoints, outside of the base path. */
export const publicPaths = (emit: EmitSchema): { [path: string]: Json } => {
  const unreadable = {
    400: {
      description: 'invalid_request',
      headers: PUBLIC_HEADERS,
      content: { 'application/json': { schema: emit(ErrorEnvelope) } },
    },
    ...REFUSED_BEFORE_REQUEST,
  };
  const away = {
    description: 'unavailable: the issuer does not answer',
    headers: { ...PUBLIC_HEADERS, ...headersOfProblem(503) },
    content: { 'application/json': { schema: emit(ErrorEnvelope) } },
  };
  const operation = (
    operationId: string,
    summary: string,
    description: string,
    responses: Responses,
  ): Json => ({
    servers: [{ url: '/' }],
    get: {
      operationId,
      summary,
      description,
      tags: ['service'],
      security: [],
      responses: { ...responses, ...unreadable },
    },
  });
  return {
    '/healthz': operation(
      'getHealth',
      'Whether the process lives',
      'Checks nothing else: restart a process that does not respond.',
      { 200: answer('It does', { status }) },
    ),
    '/readyz': operation(
      'getReadiness',
      'Whether the service is ready for requests',
      'Checks the stores and the read models; 503 says which of them is not ready, and why.',
      {
        200: answer('It is', { status, reasons, details, optional }),
        503: answer('It is not', { status, reasons, details, optional }),
      },
    ),
    '/sign-in': operation(
      'getSignIn',
      'How people sign in',
      'For a browser: OpenID Connect, authorization code with PKCE, as a public client. The token that it gets is sent as `Authorization: Bearer`.',
      { 200: answer('How, or that API keys alone give access', { oidc }), 503: away },
    ),
  };
};
type Responses = { [status: string]: Json };
