import { noSuchConversation, type OpenConversation, pathTo } from '../../domain/conversation/index.ts';
import type { Vault } from '../ports/vault.ts';
import { conversationStream } from '../streams.ts';
import { type ChatMessage, parseQuestion } from './message-text.ts';

/**
 * What was said from the root of a conversation to this question, which is last.
 *
 * @throws DomainError not_found for a conversation whose key is gone
 */
export const historyTo = async (
  vault: Vault,
  tenant: string,
  id: string,
  { messages }: OpenConversation,
  user_message_id: string,
): Promise<readonly ChatMessage[]> => {
  const path = pathTo(messages, user_message_id);
  const texts = await vault.read(
    tenant,
    conversationStream(id),
    path.map((message) => message.id),
  );
  if (texts === null) throw noSuchConversation();
  return path.flatMap((message): readonly ChatMessage[] => {
    const text = texts.get(message.id);
    // In a restored backup an event may speak of a text that was written after the copy of the vault.
    if (text === undefined) return [];
    return message.role === 'user' ? parseQuestion(text) : [{ role: 'assistant', content: text }];
  });
};
