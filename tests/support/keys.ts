import type { Client } from './client.ts';

const READ = ['knowledge:read'];
export const EVERY_SCOPE = [
  'inference:run',
  'knowledge:read',
  'knowledge:write',
  'ingestion:manage',
  'authz:grant',
  'policy:redaction:manage',
  'apikeys:issue',
  'audit:read',
  'webhooks:manage',
];

/** Issues a key and waits until it is known; answers its record, the key included. */
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
export const issued = async (service: Client, body: object, by: string = service.key): Promise<any> => {
  const made = await service.api(
    'POST',
    '/api-keys',
    { name: 'a key', scopes: READ, ...body },
    { 'x-api-key': by },
  );
  if (made.status !== 201)
    throw new Error(`POST /api-keys answered ${made.status}: ${JSON.stringify(made.body)}`);
  const position = made.headers.get('x-position') ?? '';
  await service.api('GET', '/api-keys', undefined, { 'x-api-key': service.key, 'x-min-position': position });
  return made.body;
};
