import type { ApiKeyCreate, IssuedApiKey } from '../../clients/typescript/src/index.ts';
import type { Client } from './client.ts';

const READ: ApiKeyCreate['scopes'] = ['knowledge:read'];
export const EVERY_SCOPE: ApiKeyCreate['scopes'] = [
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
export const issued = async (
  service: Client,
  body: Partial<ApiKeyCreate>,
): Promise<Required<Pick<IssuedApiKey, 'id' | 'key'>>> => {
  const { id, key } = await service.post('/api-keys', { body: { name: 'a key', scopes: READ, ...body } });
  await service.get('/api-keys');
  return { id, key: key! };
};
