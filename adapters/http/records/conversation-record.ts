import type {
  ReadableConversation,
  ReadableMessage,
} from '../../../application/answers/conversations/operations.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { usageField, webCitationRecord } from '../completions/completion-record.ts';
import type { Conversation, ConversationDetail, ConversationMessage } from '../schemas/conversation.ts';
import { seconds } from './data-source-record.ts';

export const conversationRecord = (row: ConversationRow): Conversation => ({
  id: row.id,
  ...(row.principalId !== null && { principal_id: row.principalId }),
  message_count: row.messageCount,
  creation_time: seconds(row.createdAt),
  update_time: seconds(row.updatedAt),
});

export const conversationDetail = ({ row, messages }: ReadableConversation): ConversationDetail => ({
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
