import type { AgentRunEvent } from '../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../domain/agent-thread/decider.ts';
import type { ApiKeyEvent } from '../../domain/api-key/decider.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from '../../domain/authz/decider.ts';
import type { ConversationEvent } from '../../domain/conversation/index.ts';
import type { DataSourceEvent } from '../../domain/data-source/index.ts';
import type { IngestionSettingEvent } from '../../domain/ingestion-setting/index.ts';
import type { RedactionPolicyEvent } from '../../domain/redaction/index.ts';
import type { SecretEvent } from '../../domain/secret/decider.ts';
import type { SourceEvent } from '../../domain/source/events.ts';
import type { WebhookEvent } from '../../domain/webhook/decider.ts';
import { isUnknown, type ProjectedEvent } from '../event-sourcing/aggregates.ts';
import type { ApiKeyRow, AuthzPolicyRow, AuthzSubjectRow } from '../ports/access-views.ts';
import type { AgentRunRow, AgentThreadRow } from '../ports/agent-view.ts';
import type { ConversationRow } from '../ports/conversation-view.ts';
import type { DataSourceRow, IngestionSettingRow } from '../ports/data-source-view.ts';
import type { EventFilter } from '../ports/event-store.ts';
import type { RedactionPolicyRow } from '../ports/redaction-policy-view.ts';
import type { SecretRow } from '../ports/secrets.ts';
import type { WebhookRow } from '../ports/webhooks.ts';
import { apiKeyRow, authzPolicyRow, authzSubjectRow, secretRow, webhookRow } from './access-rows.ts';
import { agentRunRow, agentThreadRow, type RunRowContext } from './agent-rows.ts';
import { conversationRow } from './conversation-row.ts';
import { dataSourceRow, dataSourceRowOfUnknown } from './data-source-row.ts';
import { ingestionSettingRow } from './ingestion-setting-row.ts';
import { redactionPolicyRow } from './redaction-policy-row.ts';
import { sourceRow, type SourceRow } from './source-row.ts';

/** One row per key as a pure fold of the events with that key, in position order. */
export interface RowFold<Row extends { readonly revision: bigint }> {
  /** Events that can change a row. */
  readonly filter: EventFilter;
  readonly keyOf: (event: ProjectedEvent) => string;
  readonly fold: (row: Row | null, event: ProjectedEvent) => Row | null;
  /** Whether `fold` accepts UnknownEvents; otherwise the rows cannot be known after such an event. */
  readonly acceptsUnknown?: boolean;
  /** Whether the record ended: a hidden row that no read shows. Default: a record that ended has no row. */
  readonly isHidden?: (row: Row) => boolean;
}

const context = ({ streamId: id, metadata, revision }: ProjectedEvent): RunRowContext => ({
  id,
  tenant: metadata.tenant,
  revision,
  metadata,
});
const byStream = ({ streamId }: ProjectedEvent): string => streamId;

export const dataSourceFold: RowFold<DataSourceRow> = {
  filter: { categories: ['dataSource'] },
  keyOf: byStream,
  acceptsUnknown: true,
  fold: (row, event) =>
    isUnknown(event)
      ? dataSourceRowOfUnknown(row, event.revision)
      : dataSourceRow(row, event.event as DataSourceEvent, context(event)),
  isHidden: ({ status }) => status === 'removed',
};

export const ingestionSettingFold: RowFold<IngestionSettingRow> = {
  filter: { categories: ['ingestionSetting'] },
  keyOf: byStream,
  fold: (row, event) => ingestionSettingRow(row, event.event as IngestionSettingEvent, context(event)),
};

/** The view of documents folds these events set by set, in `adapters/postgres/projections/catalog`. */
export const sourceFold: RowFold<SourceRow> = {
  filter: { categories: ['source'] },
  keyOf: byStream,
  fold: (row, event) => sourceRow(row, event.event as SourceEvent, context(event)),
  isHidden: ({ status }) => status === 'removed',
};

export const redactionPolicyFold: RowFold<RedactionPolicyRow> = {
  filter: { categories: ['redactionPolicy'] },
  keyOf: byStream,
  fold: (row, event) => redactionPolicyRow(row, event.event as RedactionPolicyEvent, context(event)),
  isHidden: ({ deleted }) => deleted,
};

export const secretFold: RowFold<SecretRow> = {
  filter: { categories: ['secret'] },
  keyOf: byStream,
  fold: (row, event) => secretRow(row, event.event as SecretEvent, context(event)),
  isHidden: ({ deleted }) => deleted,
};

export const webhookFold: RowFold<WebhookRow> = {
  filter: { categories: ['webhook'] },
  keyOf: byStream,
  fold: (row, event) => webhookRow(row, event.event as WebhookEvent, context(event)),
  isHidden: ({ deleted }) => deleted,
};

/** All keys of a tenant share a stream. */
export const apiKeyFold: RowFold<ApiKeyRow> = {
  filter: { categories: ['apiKey'] },
  keyOf: ({ event }) => (event as ApiKeyEvent).keyId,
  fold: (row, { event, streamId, revision }) =>
    apiKeyRow(row, event as ApiKeyEvent, { tenant: streamId, revision }),
};

export const authzPolicyFold: RowFold<AuthzPolicyRow> = {
  filter: { categories: ['authzPolicy'] },
  keyOf: byStream,
  fold: (row, event) => authzPolicyRow(row, event.event as AuthzPolicyEvent, context(event)),
};

export const authzSubjectFold: RowFold<AuthzSubjectRow> = {
  filter: { categories: ['authzSubject'] },
  keyOf: byStream,
  fold: (row, event) => authzSubjectRow(row, event.event as AuthzSubjectEvent, context(event)),
};

export const conversationFold: RowFold<ConversationRow> = {
  filter: { categories: ['conversation'] },
  keyOf: byStream,
  fold: (row, event) => conversationRow(row, event.event as ConversationEvent, context(event)),
};

export const agentThreadFold: RowFold<AgentThreadRow> = {
  filter: { categories: ['agentThread'] },
  keyOf: byStream,
  fold: (row, event) => agentThreadRow(row, event.event as AgentThreadEvent, context(event)),
};

/** The stream of the thread admits a run, and that of the run changes it. */
export const agentRunFold: RowFold<AgentRunRow> = {
  filter: { categories: ['agentThread', 'agentRun'] },
  keyOf: ({ event, streamId }) => (event.type === 'RunAdmitted' ? event.runId : streamId),
  fold: (row, event) => agentRunRow(row, event.event as AgentRunEvent | AgentThreadEvent, context(event)),
};
