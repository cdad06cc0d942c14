import type { ApiKeyRow } from '../../../application/ports/access-views.ts';
import type { ApiKey } from '../schemas/api-key.ts';
import { seconds } from './data-source-record.ts';

/** A key without the key, and without its hash. */
export const apiKeyRecord = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: [...row.scopes],
  ...(row.sourceGroupIds !== null && { source_group_ids: [...row.sourceGroupIds] }),
  ...(row.expiresAt !== null && { expires_at: seconds(row.expiresAt) }),
  ...(row.requestsPerMinute !== null && { requests_per_minute: row.requestsPerMinute }),
  creation_time: seconds(row.createdAt),
});
