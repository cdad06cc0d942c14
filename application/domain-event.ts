import type { ApiKeyEvent } from '../domain/api-key/index.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from '../domain/authz/index.ts';
import type { ConversationEvent } from '../domain/conversation/index.ts';
import type { DataSourceEvent } from '../domain/data-source/index.ts';
import type { IngestionSettingEvent } from '../domain/ingestion-setting/index.ts';
import type { RedactionPolicyEvent } from '../domain/redaction/index.ts';
import type { SourceEvent } from '../domain/source/index.ts';
import type { TagEvent } from '../domain/tag/index.ts';
import type { CompletionKeyClaimed } from './completion/answer-key.ts';
import type { IdempotencyEvent } from './idempotency.ts';

/** Every event that this program writes, in its newest shape. */
export type DomainEvent =
  | DataSourceEvent
  | IngestionSettingEvent
  | SourceEvent
  | ApiKeyEvent
  | TagEvent
  | ConversationEvent
  | AuthzPolicyEvent
  | AuthzSubjectEvent
  | RedactionPolicyEvent
  | IdempotencyEvent
  | CompletionKeyClaimed;
