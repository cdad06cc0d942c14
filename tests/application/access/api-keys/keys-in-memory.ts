import {
  createApiKeyOperations,
  type ApiKeyRequest,
} from '../../../../application/access/api-keys/operations.ts';
import type { ApiKeyRow, ApiKeyView } from '../../../../application/ports/access-views.ts';
import { apiKeyRowOf } from '../../../../application/read-models/access-rows.ts';
import { apiKeyStream } from '../../../../application/event-sourcing/streams.ts';
import { apiKey } from '../../../../domain/api-key/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf, memoryParts, THERE } from '../../../support/memory-parts.ts';

export const REQUEST: ApiKeyRequest = {
  name: 'a key',
  scopes: ['knowledge:read'],
  sourceGroupIds: null,
  expiresAt: null,
  requestsPerMinute: 60,
};

/** Keys over events in memory, a view that is never behind, and what is marked, in order. */
export const openKeys = () => {
  const parts = memoryParts();
  const marked: unknown[] = [];
  const asked: unknown[] = [];
  let made = 0;
  const rows = async (tenant: string): Promise<readonly ApiKeyRow[]> => {
    const ring = (await parts.execute.load(apiKey, apiKeyStream(tenant), tenant))?.state ?? apiKey.initial;
    return [...ring.keys.values()].map((key) => apiKeyRowOf(key, { tenant, revision: 0n }));
  };
  const view: ApiKeyView = {
    byHash: async () => null,
    get: async (tenant, id) => (await rows(tenant)).find((row) => row.id === id) ?? null,
    list: async (tenant, page, only) => {
      asked.push([tenant, page, only]);
      return { rows: await rows(tenant), hasMore: false, total: 0 };
    },
  };
  const operations = createApiKeyOperations({
    ...parts,
    view,
    secrets: { newApiKey: () => `kn_${(made += 1)}` },
    overlay: {
      open: async ({ id, keyHash }, position) => void marked.push(['open', id, keyHash, position]),
      close: async (keyHash, position) => void marked.push(['close', keyHash, position]),
    },
    forget: () => void marked.push('forget'),
  });
  return { ...parts, ...operations, marked, asked };
};

/** Keys for everything, for source group 1, and for 1 and 2. */
export const openThreeKeys = async () => {
  const open = openKeys();
  for (const n of [1, 2]) await open.dataSource(idOf(n), THERE);
  const issue = async (sourceGroupIds: readonly string[] | null) =>
    (await open.issue(callerOf('acme'), { ...REQUEST, sourceGroupIds }, undefined)).record.row.id;
  const ids = [await issue(null), await issue([idOf(1)]), await issue([idOf(1), idOf(2)])] as const;
  open.marked.length = 0;
  return { ...open, whole: ids[0], own: ids[1], wider: ids[2] };
};
