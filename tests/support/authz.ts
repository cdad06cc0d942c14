import type { AuthzPolicyCreate } from '../../clients/typescript/src/index.ts';
import type { Answer } from './client.ts';
import type { Journey } from './journey.ts';
import type { Service } from './service.ts';

/** Sources of the department of whoever asks. */
export const MINE: Pick<AuthzPolicyCreate, 'source_metadata'> = {
  source_metadata: { filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }] },
};

/**
 * A service that asks policies, and may crawl on loopback; by the default policy everything may be read.
 *
 * @param more further variables
 */
export const startGuarded = async (
  journey: Journey,
  more: { readonly [name: string]: string } = {},
): Promise<Service> => {
  const service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
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
