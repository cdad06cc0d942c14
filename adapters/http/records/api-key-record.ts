import type { ApiKeyRow } from '../../../application/ports/api-key-view.ts';
import type { ApiKey } from '../schemas/api-key.ts';
import { seconds } from './data-source-record.ts';

/** A key without the key, and without its hash. */
export const apiKeyRecord = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: [...row.scopes],
  ...(row.source_group_ids !== null && { source_group_ids: [...row.source_group_ids] }),
  ...(row.expires_at !== null && { expires_at: seconds(row.expires_at) }),
  ...(row.requests_per_minute !== null && { requests_per_minute: row.requests_per_minute }),
  creation_time: seconds(row.created_at),
});
