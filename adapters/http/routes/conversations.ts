import type { ConversationOperations } from '../../../application/answers/conversations/operations.ts';
import { ok } from '../answer.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { conversationDetail, conversationRecord } from '../records/conversation-record.ts';
import { type AnyRoute, route } from '../route.ts';
import { Message } from '../schemas/common.ts';
import {
  ConversationDetail,
  ConversationList,
  ConversationQuery,
  PrincipalQuery,
} from '../schemas/conversation.ts';

const common = { tag: 'conversations', scope: 'inference:run' } as const;

export const conversationRoutes = (conversations: ConversationOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: '/conversations',
    operationId: 'listConversations',
    summary: 'List the conversations of a principal, newest first',
    description:
      'Without `principal_id` those that are held on behalf of nobody. What was said is not in the list.',
    query: ConversationQuery,
    reads: ['conversation'],
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
