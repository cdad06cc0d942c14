import type { ReadableConversation, ReadableMessage } from '../../../application/conversation/operations.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { webCitationRecord } from '../completions/completion-record.ts';
import type { Conversation, ConversationDetail, ConversationMessage } from '../schemas/conversation.ts';
import { seconds } from './data-source-record.ts';

export const conversationRecord = (row: ConversationRow): Conversation => ({
  id: row.id,
  ...(row.principal_id !== null && { principal_id: row.principal_id }),
  message_count: row.message_count,
  creation_time: seconds(row.created_at),
  update_time: seconds(row.updated_at),
});

export const conversationDetail = ({ row, messages }: ReadableConversation): ConversationDetail => ({
  ...conversationRecord(row),
  messages: messages.map(messageRecord),
});

const messageRecord = (message: ReadableMessage): ConversationMessage => {
  const { id, parent_id, role, content, preceding, web_citations, created_at } = message;
  const sent = preceding.flatMap((one) =>
    one.role === 'system' ? [] : [{ role: one.role, content: one.content }],
  );
  return {
    id,
    parent_id,
    role,
    ...(content !== null && { content }),
    ...(sent.length > 0 && { preceding: sent }),
    ...(web_citations.length > 0 && { web_citations: web_citations.map(webCitationRecord) }),
    creation_time: seconds(created_at),
    ...(message.role === 'assistant' && answerFields(message)),
  };
};

const answerFields = ({
  status,
  ending,
  error_code,
}: Extract<ReadableMessage, { role: 'assistant' }>): Partial<ConversationMessage> => {
  if (ending === null) return { status, ...(error_code !== null && { error_code }) };
  const { usage, cited_content_ids, ...told } = ending;
  return { status, ...told, ...(usage && { usage }), cited_content_ids: [...cited_content_ids] };
};
