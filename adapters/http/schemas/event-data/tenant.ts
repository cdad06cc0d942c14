import Type, { type TProperties, type TSchema } from 'typebox';
import type { CompletionKeyClaimed } from '../../../../domain/idempotency/completion-key.ts';
import type { IdempotencyEvent } from '../../../../domain/idempotency/request-key.ts';
import { type ApiKeyEvent, SCOPES } from '../../../../domain/api-key/decider.ts';
import type { ConversationEvent } from '../../../../domain/conversation/index.ts';
import type { TagEvent } from '../../../../domain/tag/decider.ts';
import { Count, type DataOf, fact, Millis, orNull, Sha256, Texts, Uuid } from './facts.ts';

const key = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { key_id: Uuid, ...properties });

/** The hash of a key, which the event holds, is never shown. */
export const API_KEY: DataOf<ApiKeyEvent> = {
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

export const TAG: DataOf<TagEvent> = {
  TagCreated: tag('A tag begins', words),
  TagChanged: tag('Name and description from now on', words),
  TagDeleted: tag('The tag and its bindings end'),
  TagBound: tag('A source group carries the tag', binding),
  TagUnbound: tag('A source group carries the tag no more', binding),
};

const message = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { message_id: Uuid, ...properties });
const Usage = Type.Object({ input_tokens: Count, output_tokens: Count });

export const CONVERSATION: DataOf<ConversationEvent> = {
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

export const IDEMPOTENCY: DataOf<IdempotencyEvent | CompletionKeyClaimed> = {
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
