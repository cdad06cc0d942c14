import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { IRouter, Response } from 'express';
import type { Json } from './schema.ts';
import { refuseOtherMethods } from '../refuse-method.ts';
import { PAGE_HEADERS } from '../security-headers.ts';

const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The only files that are served: the folder holds much more. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Knowledger API</title>
    <link rel="stylesheet" href="./swagger-ui.css">
    <link rel="icon" type="image/png" href="./favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="./swagger-ui-bundle.js"></script>
    <script src="./start.js"></script>
  </body>
</html>
`;
const START = `window.ui = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/**
 * The document, and pages that show it without any file from elsewhere.
 *
 * @param document made when it is first asked for, as a start should not wait for it
 */
export const mountDocs = (app: IRouter, document: () => Json): void => {
  let text: string | undefined;
  app.get('/', (_req, res) => res.redirect('/docs/'));
  app.get('/openapi.json', (_req, res) => {
    text ??= JSON.stringify(document());
    send(res, 'application/json; charset=utf-8', text);
  });
  app.get('/docs', (req, res) => {
    // Relative references on the page need the slash.
    if (!req.path.endsWith('/')) return res.redirect('/docs/');
    asPage(res);
    send(res, 'text/html; charset=utf-8', PAGE);
  });
  app.get('/docs/start.js', (_req, res) => {
    asPage(res);
    send(res, 'text/javascript; charset=utf-8', START);
  });
  for (const file of FILES) {
    app.get(`/docs/${file}`, (_req, res) => {
      asPage(res);
      res.sendFile(file, { root: ASSETS });
    });
  }
  const paths = ['/', '/openapi.json', '/docs', '/docs/start.js', ...FILES.map((file) => `/docs/${file}`)];
  for (const path of paths) refuseOtherMethods(app, path, ['GET']);
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
