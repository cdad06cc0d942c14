import { refuseOtherMethods } from '../mount.ts';
import { PAGE_HEADERS } from '../request-headers.ts';
import { ErrorEnvelope } from '../schemas/common.ts';
import { PUBLIC_HEADERS } from './headers.ts';
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

/** The OpenAPI description of the health endpoints: public, outside of the base path. */
export const healthPaths = (emit: EmitSchema): { [path: string]: Json } => {
  const unreadable = {
    400: {
      description: 'invalid_request',
      headers: PUBLIC_HEADERS,
      content: { 'application/json': { schema: emit(ErrorEnvelope) } },
    },
    ...REFUSED_BEFORE_REQUEST,
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
  };
};
type Responses = { [status: string]: Json };
