import type { AddUserMessage, ConversationCommand } from '../../domain/conversation/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import type { ChatMessage } from './message-text.ts';

export interface TurnRequest {
  /** The last one is from the user: the question. With `regenerate` it is that which was kept, or blank, or absent. */
  readonly messages: readonly ChatMessage[];
  /** Absent: a new conversation. */
  readonly conversation_id?: string;
  /**
   * The answer that the question continues; null: none, it stands beside the first question; absent: the newest.
   * With `regenerate`: the user message to answer again; absent: the one that was asked last.
   */
  readonly parent_message_id?: string | null;
  readonly regenerate: boolean;
  /** Null: none. */
  readonly principal_id: string | null;
}

/** What is new in a request: in a conversation that goes on, what was said before is known. */
export const saidIn = ({ conversation_id, messages }: TurnRequest): readonly ChatMessage[] =>
  conversation_id === undefined ? messages : messages.slice(-1);

/** A command that begins an answer. */
export type OpeningCommand = Extract<
  ConversationCommand,
  { readonly answer_id: string; principal_id: unknown }
>;

/** What a request asks of the conversation. @throws DomainError invalid_request */
export const commandOf = (
  { conversation_id, parent_message_id: parent_id, regenerate, principal_id, messages }: TurnRequest,
  caller: Caller,
  { message_id, answer_id }: { readonly message_id: string; readonly answer_id: string },
  at: number,
): OpeningCommand => {
  const { source_group_ids } = caller.grant;
  const given = { answer_id, principal_id, source_group_ids, at };
  if (!regenerate && messages.at(-1)?.role !== 'user')
    throw invalid('the last message must be from the user');
  if (conversation_id === undefined) {
    if (parent_id !== undefined) throw invalid('parent_message_id needs its conversation_id');
    if (regenerate) throw invalid('regenerate needs a conversation_id');
    return { type: 'start', message_id, ...given };
  }
  if (!regenerate) {
    const at_parent: Pick<AddUserMessage, 'parent_id'> = parent_id === undefined ? {} : { parent_id };
    return { type: 'add_user_message', message_id, ...at_parent, ...given };
  }
  if (parent_id === null) throw invalid('regenerate takes the user message to answer again');
  return { type: 'begin_answer', ...(parent_id !== undefined && { parent_id }), ...given };
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
