import type { PoliciesInForce } from './policies-in-force.ts';
import { redact } from './redactor.ts';

/**
 * Returns a function that redacts texts by the tenant's policies for `content`. Fails when the policies cannot be
 * read: then the caller must show nothing.
 */
export type RedactTextFor = (tenant: string) => Promise<(text: string) => string>;

export const createRedactTextFor =
  (policies: PoliciesInForce): RedactTextFor =>
  async (tenant) => {
    const { compiled } = await policies.at(tenant, 'content');
    return (text) => redact(text, compiled).text;
  };
