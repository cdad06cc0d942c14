import type { DomainEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { type ApiKeyEvent, SCOPES } from '../../../../domain/api-key/decider.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from '../../../../domain/authz/decider.ts';
import type { ConversationEvent } from '../../../../domain/conversation/index.ts';
import type { CompletionKeyClaimed } from '../../../../domain/idempotency/completion-key.ts';
import type { IdempotencyEvent } from '../../../../domain/idempotency/request-key.ts';
import { RULE_KINDS, type RedactionPolicyEvent, STAGES } from '../../../../domain/redaction/index.ts';
import { SECRET_TYPES, type SecretEvent } from '../../../../domain/secret/decider.ts';
import type { TagEvent } from '../../../../domain/tag/decider.ts';
import { DISABLED_BECAUSE, type WebhookEvent } from '../../../../domain/webhook/decider.ts';
import { AGENT_RUN, AGENT_RUN_KEY, AGENT_THREAD } from './agent.ts';
import { INGESTION_SETTING, SOURCE } from './content.ts';
import { DATA_SOURCE } from './data-source.ts';
import { Count, type DataOf, Millis, Sha256, Texts, Uuid, fact, orNull } from './facts.ts';
import Type from 'typebox';
import type { TProperties, TSchema } from 'typebox';

const name = Type.String();

const expiresAt = orNull(Millis);

const valueId = Type.String({ format: 'uuid', description: 'Names the value, which is in no event' });

const SECRET: DataOf<SecretEvent> = {
  SecretCreated: fact('A secret is kept', {
    name,
    secret_type: Type.Enum([...SECRET_TYPES]),
    value_id: valueId,
    expires_at: expiresAt,
  }),
  SecretChanged: fact('Name and expiry from now on', { name, expires_at: expiresAt }),
  SecretValueReplaced: fact('A caller has given another value', { value_id: valueId }),
  SecretRenewed: fact('The provider has given another token', { value_id: valueId }),
  SecretAttached: fact('A data source names it', { data_source_id: Uuid }),
  SecretDetached: fact('A data source names it no more', { data_source_id: Uuid }),
  SecretDeleted: fact('Nobody can read its value any more'),
};

const subscription = {
  url: Type.String(),
  description: Type.String(),
  types: orNull(Texts),
  categories: orNull(Texts),
  source_group_ids: orNull(Type.Array(Uuid)),
};
const secretId = Type.String({ format: 'uuid', description: 'Names the secret, which is in no event' });

const WEBHOOK: DataOf<WebhookEvent> = {
  WebhookCreated: fact('Events are sent to an address', {
    ...subscription,
    secret_id: secretId,
    from: Type.String({ description: 'Position after which events are sent' }),
  }),
  WebhookChanged: fact('All of the subscription, from now on', subscription),
  WebhookEnabled: fact('Deliveries go on where they stopped'),
  WebhookDisabled: fact('Nothing is sent any more', {
    because: Type.Enum([...DISABLED_BECAUSE]),
    detail: Type.String({ description: 'The last answer of the receiver' }),
  }),
  WebhookSecretRotated: fact('Another secret signs, and the one before for a while', {
    secret_id: secretId,
    previous_until: Millis,
  }),
  WebhookDeleted: fact('Its secrets and deliveries are erased'),
};

const Rule = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...RULE_KINDS]),
  pattern: Type.Optional(Type.String()),
  replacement: Type.Optional(Type.String()),
});

const redaction = (description: string): TSchema =>
  fact(description, {
    name: Type.String(),
    rules: Type.Array(Rule),
    applies_to: Type.Array(Type.Enum([...STAGES])),
  });

const REDACTION_POLICY: DataOf<RedactionPolicyEvent> = {
  RedactionPolicyCreated: redaction('A redaction policy begins'),
  RedactionPolicyChanged: redaction('All of it, from now on'),
  RedactionPolicyDeleted: fact('It hides nothing any more'),
};

/** As written: values may refer to attributes of the principal. */
const PolicyFilter = orNull(Type.Unsafe<object>({ type: 'object', additionalProperties: true }));

const authz = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, {
    ...properties,
    name: Type.String(),
    description: Type.String(),
    source_metadata: PolicyFilter,
    chunk_metadata: PolicyFilter,
  });

const AUTHZ: DataOf<AuthzPolicyEvent | AuthzSubjectEvent> = {
  AuthzPolicyCreated: authz('An authz policy begins', { policy_id: Uuid }),
  AuthzPolicyChanged: authz('All of its rules, from now on'),
  AuthzPolicyDeleted: fact('Requests that name it are refused', { name: Type.String() }),
  AuthzAttributesSet: fact('All that the policy knows of the principal', {
    principal_id: Type.String(),
    authz_policy: Type.String(),
    attributes: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  }),
  AuthzAttributesDeleted: fact('No policy knows anything of the principal', { principal_id: Type.String() }),
};

const key = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { key_id: Uuid, ...properties });

/** The hash of a key, which the event contains, is never shown. */
const API_KEY: DataOf<ApiKeyEvent> = {
  ApiKeyIssued: key('A key, and what it may do', {
    name: Type.String(),
    scopes: Type.Array(Type.Enum([...SCOPES])),
    source_group_ids: orNull(Type.Array(Uuid)),
    expires_at: orNull(Millis),
    requests_per_minute: orNull(Type.Integer()),
  }),
  ApiKeyRotated: key('Another key, with the same id and powers'),
  ApiKeyRevoked: key('The key opens nothing any more'),
};

const tag = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { tag_id: Uuid, ...properties });

const words = { name: Type.String(), description: Type.String() };

const binding = { binding_id: Uuid, source_group_id: Uuid };

const TAG: DataOf<TagEvent> = {
  TagCreated: tag('A tag begins', words),
  TagChanged: tag('Name and description from now on', words),
  TagDeleted: tag('The tag and its bindings end'),
  TagBound: tag('A source group carries the tag', binding),
  TagUnbound: tag('A source group carries the tag no more', binding),
};

const message = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { message_id: Uuid, ...properties });

const Usage = Type.Object({ input_tokens: Count, output_tokens: Count });

const CONVERSATION: DataOf<ConversationEvent> = {
  ConversationStarted: fact('A conversation begins', { principal_id: orNull(Type.String()) }),
  UserMessageAdded: message('Something was asked', { parent_id: orNull(Uuid) }),
  AnswerBegun: message('An answer is being written', {
    parent_id: Uuid,
    source_group_ids: orNull(Type.Array(Uuid)),
  }),
  AnswerFinished: message('The answer is written', {
    finish_reason: Type.String(),
    model: Type.String(),
    usage: orNull(Usage),
    cited_content_ids: Texts,
    cut: Type.Boolean(),
  }),
  AnswerFailed: message('There is no answer', { code: Type.String() }),
  ConversationDeleted: fact('Nobody can read what was said any more'),
};

const IDEMPOTENCY: DataOf<IdempotencyEvent | CompletionKeyClaimed> = {
  CompletionKeyClaimed: fact('An Idempotency-Key leads to an answer', {
    conversation_id: Uuid,
    answer_id: Uuid,
  }),
  IdempotencyKeyClaimed: fact('A request holds an Idempotency-Key', {
    operation: Type.String(),
    body_hash: Sha256,
    ids: Type.Array(Uuid),
  }),
  IdempotencyKeyReleased: fact('A request that held it was refused'),
  IdempotencyKeyUsed: fact('A repeated request was answered'),
};

/** The data of every event, as the log shows it. A new event without an entry does not compile. */
export const EVENT_DATA: DataOf<DomainEvent> = {
  ...DATA_SOURCE,
  ...INGESTION_SETTING,
  ...SOURCE,
  ...API_KEY,
  ...TAG,
  ...CONVERSATION,
  ...AUTHZ,
  ...REDACTION_POLICY,
  ...SECRET,
  ...WEBHOOK,
  ...IDEMPOTENCY,
  ...AGENT_THREAD,
  ...AGENT_RUN,
  ...AGENT_RUN_KEY,
};
