import type { IRouter } from 'express';
import type { HttpDeps } from './deps.ts';
import { refuseOtherMethods } from './mount.ts';
import { sendJson } from './json-response.ts';

/** Liveness and readiness. Public, outside of the base path. */
export const mountHealth = (
  app: IRouter,
  { notReady, optionalParts, stop }: Pick<HttpDeps, 'notReady' | 'optionalParts' | 'stop'>,
): void => {
  app.get('/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    const reasons = stop.leaving.aborted ? { server: 'stopping' } : await notReady();
    const ready = Object.keys(reasons).length === 0;
    const status = ready ? 'ready' : 'not ready';
    sendJson(res, ready ? 200 : 503, { status, reasons, optional: optionalParts() });
  });
  for (const path of ['/healthz', '/readyz']) refuseOtherMethods(app, path, ['GET']);
};
