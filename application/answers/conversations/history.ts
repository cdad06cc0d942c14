import { DomainError } from '../../../domain/shared/domain-error.ts';
import { noSuchConversation, type OpenConversation, pathTo } from '../../../domain/conversation/index.ts';
import type { Vault } from '../../ports/vault.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
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
  userMessageId: string,
): Promise<readonly ChatMessage[]> => {
  const path = pathTo(messages, userMessageId);
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

/**
 * Refuses to answer a question again whose text is sent along, and is another one: nobody would read it.
 *
 * @throws DomainError invalid_request
 */
export const mustBeTheQuestion = async (
  vault: Vault,
  tenant: string,
  id: string,
  userMessageId: string,
  sent: ChatMessage | undefined,
): Promise<void> => {
  if (sent?.role !== 'user' || sent.content.trim() === '') return;
  const texts = await vault.read(tenant, conversationStream(id), [userMessageId]);
  const text = texts?.get(userMessageId);
  if (text === undefined || parseQuestion(text).at(-1)?.content === sent.content) return;
  throw new DomainError(
    'invalid_request',
    'regenerate answers the message that was kept: send it unchanged or blank; to ask something else, leave regenerate out and give the answer before it as parent_message_id',
  );
};
