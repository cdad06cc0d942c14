import {
  type AddUserMessage,
  type ConversationCommand,
  type ConversationEvent,
  type ConversationState,
  type OpenConversation,
  conversation,
  noSuchConversation,
  visible,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import type { ChatMessage } from './message-text.ts';

interface LoadDeps {
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * Loads a conversation of a tenant, also a deleted one. A conversation of another tenant looks as if it did not exist.
 *
 * @throws DomainError unavailable when a newer version of the service has written to it
 */
export const load = async ({ execute }: LoadDeps, tenant: string, id: string): Promise<ConversationState> =>
  (await execute.load(conversation, conversationStream(id), tenant))?.state ?? conversation.initial;

/** @throws DomainError not_found unless it exists, belongs to this principal and is within the key's reach */
export const loadVisible = async (
  deps: LoadDeps,
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<OpenConversation> => visibleTo(caller, await load(deps, caller.tenant, id), principalId);

/** Loads all events of a conversation, under the same conditions as `loadVisible`. */
export const loadHistory = async (
  { execute }: { readonly execute: Pick<Execute, 'history'> },
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<readonly ConversationEvent[]> => {
  const past = await execute.history(conversation, conversationStream(id), caller.tenant);
  const history = past.map(({ event }) => event);
  visibleTo(caller, fold(conversation, history, conversation.initial), principalId);
  return history;
};

const visibleTo = (
  caller: Caller,
  state: ConversationState,
  principalId: string | null,
): OpenConversation => {
  mustReach(caller)(state);
  return visible(state, principalId);
};

/**
 * Answers may contain texts of every source group that the asking key could read; a key with a smaller reach is
 * refused.
 */
export const mustReach =
  (caller: Caller) =>
  (state: ConversationState): void => {
    if (state.status !== 'none' && !reaches(caller, state.sourceGroupIds)) throw noSuchConversation();
  };

export const reaches = ({ grant }: Caller, sourceGroupIds: readonly string[] | null): boolean => {
  const within = grant.sourceGroupIds;
  return within === null || (sourceGroupIds?.every((id) => within.includes(id)) ?? false);
};

export interface TurnRequest {
  /** The last one is the user's question. With `regenerate` it is the stored question, blank, or absent. */
  readonly messages: readonly ChatMessage[];
  /** Absent for a new conversation. */
  readonly conversationId?: string;
  /**
   * The answer that the question continues; null for a sibling of the first question; absent for the newest answer.
   * With `regenerate`: the user message to answer again; absent for the latest one.
   */
  readonly parentMessageId?: string | null;
  readonly regenerate: boolean;
  /** Null for no principal. */
  readonly principalId: string | null;
}

/** The new messages of a request: in an existing conversation only the last one is new. */
export const newMessagesOf = ({ conversationId, messages }: TurnRequest): readonly ChatMessage[] =>
  conversationId === undefined ? messages : messages.slice(-1);

/** A command that starts an answer. */
export type OpeningCommand = Extract<
  ConversationCommand,
  { readonly answerId: string; principalId: unknown }
>;

/** Builds the command for a request. @throws DomainError invalid_request */
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
