import type { Answer } from './client.ts';
import { type Service, startService } from './service.ts';
import type { Site } from './site.ts';

/** Sources of the department of whoever asks. */
export const MINE = {
  source_metadata: { filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }] },
};

/**
 * A service that asks policies, and may crawl the site; by the default policy everything may be read.
 *
 * @param more further variables
 */
export const startGuarded = async (
  site: Site,
  more: { readonly [name: string]: string } = {},
): Promise<Service> => {
  const service = await startService({
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    KNOWLEDGER_AUTHZ: 'on',
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    ...more,
  });
  const open = await service.api('PUT', '/authz-policies/default', {});
  if (open.status !== 200) throw new Error(`the default policy was answered with ${open.status}`);
  return service;
};

/** Headers for a read that sees what was answered. */
export const after = ({ headers }: Answer) => ({ 'x-min-position': headers.get('x-position') ?? '' });
