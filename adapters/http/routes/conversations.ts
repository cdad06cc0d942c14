import type {
  ConversationOperations,
  ReadableConversation,
  ReadableMessage,
  TitledConversation,
} from '../../../application/answers/conversations/operations.ts';
import { ANSWER_STATUSES } from '../../../domain/conversation/index.ts';
import { ok } from '../json-response.ts';
import { usageField, webCitationRecord } from '../completions/completion-record.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  Id,
  Message,
  Pagination,
  UnixSeconds,
  closed,
  pageFields,
  DeletedAt,
  Erased,
} from '../schemas/common.ts';
import { Usage, WebCitation } from '../schemas/completion.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const common = { tag: 'conversations', scope: 'inference:run' } as const;

export const conversationRoutes = (conversations: ConversationOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: '/conversations',
    operationId: 'listConversations',
    summary: 'List the conversations of a principal, newest first',
    description:
      'Without `principal_id` those that are held on behalf of nobody. Of what was said, the list has how each began.',
    query: ConversationQuery,
    reads: ['conversation'],
    rewinds: 'id',
    erases: true,
    answers: { 200: ConversationList },
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await conversations.list(caller, query.principal_id ?? null, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ conversations: page.rows.map(conversationRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/conversations/{id}',
    operationId: 'getConversation',
    summary: 'Get a conversation with all that was said',
    description: 'Read from its events: it always holds what was written before.',
    query: PrincipalQuery,
    rewinds: 'id',
    erases: true,
    answers: { 200: ConversationDetail },
    problems: ['not_configured'],
    handler: async ({ caller, id, query }) =>
      ok(conversationDetail(await conversations.get(caller, id, query.principal_id ?? null))),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/conversations/{id}',
    operationId: 'deleteConversation',
    summary: 'Delete a conversation',
    description:
      'Destroys the key of its texts: from the answer on nobody can read them. That it was held, when, and with which ' +
      'model, stays in the audit trail.',
    query: PrincipalQuery,
    writes: true,
    settles: ['conversation'],
    answers: { 200: Message },
    handler: async ({ caller, id, query }) => {
      const { position } = await conversations.remove(caller, id, query.principal_id ?? null);
      return ok({ message: `conversation ${id} was deleted` }, position);
    },
  }),
];

const conversationRecord = (row: TitledConversation): Conversation => ({
  id: row.id,
  ...(row.title !== null && { title: row.title }),
  ...(row.principalId !== null && { principal_id: row.principalId }),
  message_count: row.messageCount,
  creation_time: seconds(row.createdAt),
  update_time: seconds(row.updatedAt),
});

const conversationDetail = ({ row, messages }: ReadableConversation): ConversationDetail => ({
  ...conversationRecord(row),
  messages: messages.map(messageRecord),
});

const messageRecord = (message: ReadableMessage): ConversationMessage => {
  const { id, parentId, role, content, preceding, webCitations, createdAt } = message;
  const sent = preceding.flatMap((one) =>
    one.role === 'system' ? [] : [{ role: one.role, content: one.content }],
  );
  return {
    id,
    parent_id: parentId,
    role,
    ...(content !== null && { content }),
    ...(sent.length > 0 && { preceding: sent }),
    ...(webCitations.length > 0 && { web_citations: webCitations.map(webCitationRecord) }),
    creation_time: seconds(createdAt),
    ...(message.role === 'assistant' && answerFields(message)),
  };
};

const answerFields = ({
  status,
  ending,
  errorCode,
}: Extract<ReadableMessage, { role: 'assistant' }>): Partial<ConversationMessage> => {
  if (ending === null) return { status, ...(errorCode !== null && { error_code: errorCode }) };
  const { finishReason, model, cut, usage, citedContentIds } = ending;
  return {
    status,
    finish_reason: finishReason,
    model,
    cut,
    ...usageField(usage),
    cited_content_ids: [...citedContentIds],
  };
};

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
const PrincipalQuery = closed(principalField);
const ConversationQuery = closed({ ...pageFields, ...principalField });

const fields = {
  id: Id,
  title: Type.Optional(
    Type.String({
      description:
        'How the first question begins, in one line of at most 120 characters. Absent where its texts can be read no more',
    }),
  ),
  principal_id: Type.Optional(Type.String()),
  message_count: Type.Integer({ description: 'Questions and answers, on every branch' }),
  creation_time: UnixSeconds,
  update_time: UnixSeconds,
  deleted_at: DeletedAt,
  erased: Erased,
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
