import type { PoliciesInForce } from './policies-in-force.ts';
import { redact } from './redactor.ts';

/**
 * A text of the tenant as its policies for `content` let it be read. Fails where the policies cannot be read: whoever
 * asks must then show nothing.
 */
export type RedactTextFor = (tenant: string) => Promise<(text: string) => string>;

export const createRedactTextFor =
  (policies: PoliciesInForce): RedactTextFor =>
  async (tenant) => {
    const { compiled } = await policies.at(tenant, 'content');
    return (text) => redact(text, compiled).text;
  };
