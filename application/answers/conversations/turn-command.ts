import type { AddUserMessage, ConversationCommand } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { ChatMessage } from './message-text.ts';

export interface TurnRequest {
  /** The last one is from the user: the question. With `regenerate` it is that which was kept, or blank, or absent. */
  readonly messages: readonly ChatMessage[];
  /** Absent: a new conversation. */
  readonly conversationId?: string;
  /**
   * The answer that the question continues; null: none, it stands beside the first question; absent: the newest.
   * With `regenerate`: the user message to answer again; absent: the one that was asked last.
   */
  readonly parentMessageId?: string | null;
  readonly regenerate: boolean;
  /** Null: none. */
  readonly principalId: string | null;
}

/** What is new in a request: in a conversation that goes on, what was said before is known. */
export const saidIn = ({ conversationId, messages }: TurnRequest): readonly ChatMessage[] =>
  conversationId === undefined ? messages : messages.slice(-1);

/** A command that begins an answer. */
export type OpeningCommand = Extract<
  ConversationCommand,
  { readonly answerId: string; principalId: unknown }
>;

/** What a request asks of the conversation. @throws DomainError invalid_request */
export const commandOf = (
  { conversationId, parentMessageId: parentId, regenerate, principalId, messages }: TurnRequest,
  caller: Caller,
  { messageId, answerId }: { readonly messageId: string; readonly answerId: string },
  at: number,
): OpeningCommand => {
  const { sourceGroupIds } = caller.grant;
  const given = { answerId, principalId, sourceGroupIds, at };
  if (!regenerate && messages.at(-1)?.role !== 'user')
    throw invalid('the last message must be from the user');
  if (conversationId === undefined) {
    if (parentId !== undefined) throw invalid('parent_message_id needs its conversation_id');
    if (regenerate) throw invalid('regenerate needs a conversation_id');
    return { type: 'start', messageId, ...given };
  }
  if (!regenerate) {
    const atParent: Pick<AddUserMessage, 'parentId'> = parentId === undefined ? {} : { parentId };
    return { type: 'add_user_message', messageId, ...atParent, ...given };
  }
  if (parentId === null) throw invalid('regenerate takes the user message to answer again');
  return { type: 'begin_answer', ...(parentId !== undefined && { parentId }), ...given };
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
