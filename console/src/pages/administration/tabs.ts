import type { Need } from '../../needs.ts';

/** The tabs of the administration, in their order, and what the caller needs for each. */
export const NEEDS = {
  keys: 'apikeys:issue',
  tags: 'knowledge:read',
  secrets: 'ingestion:manage everywhere',
  webhooks: 'webhooks:manage everywhere',
  policies: 'authz:grant everywhere',
  principals: 'authz:grant everywhere',
  redaction: 'policy:redaction:manage everywhere',
  models: 'knowledge:read',
  log: 'audit:read everywhere',
} as const satisfies Readonly<Record<string, Need>>;

export type AdministrationTab = keyof typeof NEEDS;
export const ADMINISTRATION = Object.keys(NEEDS) as readonly AdministrationTab[];
