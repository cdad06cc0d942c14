import type { IRouter } from 'express';
import type { HttpDeps } from './deps.ts';
import type { Json } from './openapi-schema.ts';
import { refuseOtherMethods } from './refuse-method.ts';
import { sendJson } from './send-json.ts';

/** Whether the process lives, and whether it should get requests. Open to all, outside the base path. */
export const mountHealth = (app: IRouter, { notReady, stop }: Pick<HttpDeps, 'notReady' | 'stop'>): void => {
  app.get('/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    const reasons = stop.leaving.aborted ? { server: 'stopping' } : await notReady();
    const ready = Object.keys(reasons).length === 0;
    sendJson(res, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', reasons });
  });
  for (const path of Object.keys(HEALTH_PATHS)) refuseOtherMethods(app, path, ['GET']);
};

const answer = (description: string, properties: { [name: string]: Json }): Json => ({
  description,
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
const UNREADABLE = {
  400: {
    description: 'invalid_request',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
  },
};
const operation = (operationId: string, summary: string, responses: { [status: string]: Json }): Json => ({
  servers: [{ url: '/' }],
  get: { operationId, summary, tags: ['service'], security: [], responses: { ...responses, ...UNREADABLE } },
});

export const HEALTH_PATHS: { [path: string]: Json } = {
  '/healthz': operation('getHealth', 'Whether the process lives', { 200: answer('It does', { status }) }),
  '/readyz': operation('getReadiness', 'Whether the service is ready for requests', {
    200: answer('It is', { status, reasons }),
    503: answer('It is not', { status, reasons }),
  }),
};
