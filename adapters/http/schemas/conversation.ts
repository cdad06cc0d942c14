import Type, { type Static } from 'typebox';
import { ANSWER_STATUSES } from '../../../domain/conversation/index.ts';
import { Usage, WebCitation } from './completion.ts';
import { closed, Id, pageFields, Pagination, UnixSeconds } from './common.ts';

const principalField = {
  principal_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The end user on whose behalf the conversation is held; absent: only one of nobody is found',
    }),
  ),
};
export const PrincipalQuery = closed(principalField);
export const ConversationQuery = closed({ ...pageFields, ...principalField });

const fields = {
  id: Id,
  principal_id: Type.Optional(Type.String()),
  message_count: Type.Integer({ description: 'Questions and answers, on every branch' }),
  creation_time: UnixSeconds,
  update_time: UnixSeconds,
};
export const Conversation = Type.Object(fields);
export type Conversation = Static<typeof Conversation>;
export const ConversationList = Type.Object({
  conversations: Type.Array(Conversation),
  pagination: Pagination,
});

const PrecedingMessage = Type.Object({ role: Type.Enum(['user', 'assistant']), content: Type.String() });

export const ConversationMessage = Type.Object({
  id: Id,
  parent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description:
      'The answer that a question continues, or the question that an answer answers; null: the root',
  }),
  role: Type.Enum(['user', 'assistant']),
  content: Type.Optional(
    Type.String({ description: 'Absent while an answer is being written, and where it failed' }),
  ),
  preceding: Type.Optional(
    Type.Array(PrecedingMessage, { description: 'What the caller sent before a question, in one request' }),
  ),
  creation_time: UnixSeconds,
  status: Type.Optional(
    Type.Enum([...ANSWER_STATUSES], {
      description: 'Of an answer. `pending`: being written, or left by a process that died',
    }),
  ),
  model: Type.Optional(Type.String()),
  finish_reason: Type.Optional(Type.String()),
  cut: Type.Optional(Type.Boolean({ description: 'The content ends before the model did' })),
  usage: Type.Optional(Usage),
  cited_content_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Number n in the answer is the content at place n - 1' }),
  ),
  web_citations: Type.Optional(
    Type.Array(WebCitation, {
      description: 'Pages of the web that the answer cites: mark [Wn] is the one at place n - 1',
    }),
  ),
  error_code: Type.Optional(Type.String({ description: 'Why an answer failed' })),
});
export type ConversationMessage = Static<typeof ConversationMessage>;

export const ConversationDetail = Type.Object({
  ...fields,
  messages: Type.Array(ConversationMessage, {
    description:
      'A tree by parent_id, each message after its parent. Siblings come from edits and regenerations',
  }),
});
export type ConversationDetail = Static<typeof ConversationDetail>;
