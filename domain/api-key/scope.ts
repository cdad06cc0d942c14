export const SCOPES = [
  'inference:run',
  'knowledge:read',
  'knowledge:write',
  'ingestion:manage',
  'authz:grant',
  'policy:redaction:manage',
  'apikeys:issue',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a caller may do: the powers of its key. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
}
