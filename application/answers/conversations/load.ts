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
 * A conversation of a tenant, deleted ones included; one of another tenant is as one that never was.
 *
 * @throws DomainError unavailable when a newer version of the service has written to it
 */
export const load = async ({ execute }: LoadDeps, tenant: string, id: string): Promise<ConversationState> =>
  (await execute.load(conversation, conversationStream(id), tenant))?.state ?? conversation.initial;

/** @throws DomainError not_found unless it is there, held for this principal, and within what the key may see */
export const loadVisible = async (
  deps: LoadDeps,
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<OpenConversation> => visibleTo(caller, await load(deps, caller.tenant, id), principalId);

/** All that happened in it, under the same conditions. */
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
 * Answers may tell of every source group that their asker could see: a key that is restricted to fewer does not find
 * the conversation.
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
