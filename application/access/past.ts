import type { Load, ReadHistory } from '../event-sourcing/load.ts';
import type { ApiKeyView, AuthzPolicyRow, AuthzSubjectRow, AuthzView } from '../ports/access-views.ts';
import type { AgentView } from '../ports/agent-view.ts';
import type { GroupScope, SourceListFilter, SourceRecord } from '../ports/catalog.ts';
import type { ConversationView } from '../ports/conversation-view.ts';
import type { DataSourceView } from '../ports/data-source-view.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type { RedactionPolicyView } from '../ports/redaction-policy-view.ts';
import type { SecretView } from '../ports/secrets.ts';
import type { WebhookView } from '../ports/webhooks.ts';
import type { SourceGroupFilter, SourceGroupRecord, TagView } from '../ports/source-group-view.ts';

/** Contents have no history; sources are not counted under a policy, which judges those of today. */
export type PastSourceGroup = Omit<SourceGroupRecord, 'sourceCount' | 'contentCount'> &
  Partial<Pick<SourceGroupRecord, 'sourceCount'>>;

/**
 * The views of a tenant as they were at one moment, read from the streams of their records, with the access rules of
 * today. Fields that no event tells are left out: when a secret was last used, how many contents have declared metadata.
 */
export interface Past {
  /** Loads aggregates as they were. */
  readonly streams: { readonly load: Load; readonly history: ReadHistory };
  readonly dataSources: DataSourceView;
  readonly sources: {
    /** Null also for a source whose data source was being deleted. Titles are not redacted. */
    readonly get: (tenant: string, id: string) => Promise<SourceRecord | null>;
    /** @param only ids of source groups; null: all */
    readonly list: (
      tenant: string,
      only: readonly string[] | null,
      filter: SourceListFilter,
      page: PageRequest,
      /** The record as the caller may see it; null: not at all. */
      seen: (record: SourceRecord) => Promise<SourceRecord | null>,
    ) => Promise<Page<SourceRecord>>;
  };
  readonly sourceGroups: {
    readonly get: (scope: GroupScope, id: string) => Promise<PastSourceGroup | null>;
    readonly list: (
      scope: GroupScope,
      page: PageRequest,
      filter: SourceGroupFilter,
      /** The group as the caller may see it, or null: not at all. Null alone: all are seen. */
      seen: ((group: PastSourceGroup) => Promise<PastSourceGroup | null>) | null,
    ) => Promise<Page<PastSourceGroup>>;
  };
  readonly secrets: SecretView;
  readonly webhooks: WebhookView;
  readonly redactionPolicies: Pick<RedactionPolicyView, 'get' | 'list'>;
  readonly apiKeys: Pick<ApiKeyView, 'get' | 'list'>;
  readonly authz: AuthzView & {
    readonly policy: (tenant: string, name: string) => Promise<AuthzPolicyRow | null>;
    readonly subject: (tenant: string, principalId: string) => Promise<AuthzSubjectRow | null>;
  };
  readonly tags: Pick<TagView, 'get' | 'list' | 'getBinding' | 'listBindings'>;
  readonly conversations: ConversationView;
  readonly agents: Pick<AgentView, 'threads' | 'runs' | 'runsOf'>;
  /** When a record that was read has ended since, in Unix milliseconds; undefined: it has not. */
  readonly endedAt: (id: string) => number | undefined;
}
