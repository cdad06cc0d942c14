import type { ApiKeyView, AuthzPolicyRow, AuthzSubjectRow, AuthzView } from './access-views.ts';
import type { DataSourceView } from './data-source-view.ts';
import type { RedactionPolicyView } from './redaction-policy-view.ts';
import type { SecretView } from './secrets.ts';
import type { TagView } from './source-group-view.ts';

/**
 * The views of a tenant as they were at one moment, read from the streams of their records, with the access rules of
 * today. Fields that no event tells are left out: when a secret was last used, how many contents have declared metadata.
 */
export interface Past {
  readonly dataSources: DataSourceView;
  readonly secrets: SecretView;
  readonly redactionPolicies: Pick<RedactionPolicyView, 'get' | 'list'>;
  readonly apiKeys: Pick<ApiKeyView, 'get' | 'list'>;
  readonly authz: AuthzView & {
    readonly policy: (tenant: string, name: string) => Promise<AuthzPolicyRow | null>;
    readonly subject: (tenant: string, principalId: string) => Promise<AuthzSubjectRow | null>;
  };
  readonly tags: Pick<TagView, 'get' | 'list' | 'getBinding' | 'listBindings'>;
  /** When a record that was read has ended since, in Unix milliseconds; undefined: it has not. */
  readonly endedAt: (id: string) => number | undefined;
}
