import {
  conversation,
  type ConversationEvent,
  type ConversationState,
  noSuchConversation,
  type OpenConversation,
  visible,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';

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
