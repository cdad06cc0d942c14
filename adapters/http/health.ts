import type { IRouter } from 'express';
import type { HttpDeps } from './deps.ts';
import { refuseOtherMethods } from './mount.ts';
import { sendJson } from './json-response.ts';

/** Liveness and readiness. Public, outside of the base path. */
export const mountHealth = (
  app: IRouter,
  { readiness, optionalParts, stop }: Pick<HttpDeps, 'readiness' | 'optionalParts' | 'stop'>,
): void => {
  app.get('/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    const { reasons, details } = stop.leaving.aborted
      ? { reasons: { server: 'stopping' }, details: {} }
      : await readiness();
    const ready = Object.keys(reasons).length === 0;
    const status = ready ? 'ready' : 'not ready';
    sendJson(res, ready ? 200 : 503, { status, reasons, details, optional: optionalParts() });
  });
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET']);
};
