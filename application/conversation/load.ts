import {
  conversation,
  type ConversationEvent,
  type ConversationState,
  noSuchConversation,
  type OpenConversation,
  visible,
} from '../../domain/conversation/index.ts';
import { fold } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import { conversationStream } from '../streams.ts';

export interface Loaded<State extends ConversationState = ConversationState> {
  readonly history: readonly ConversationEvent[];
  readonly state: State;
}
interface LoadDeps {
  readonly store: EventStore;
  readonly codec: EventCodec;
}

/** A conversation of a tenant, deleted ones included; one of another tenant is as one that never was. */
export const load = async ({ store, codec }: LoadDeps, tenant: string, id: string): Promise<Loaded> => {
  const recorded = await store.readStream(conversationStream(id));
  const [first] = recorded;
  if (first === undefined || readMetadata(first.metadata).tenant !== tenant) {
    return { history: [], state: conversation.initial };
  }
  const history = recorded.map((event) => {
    const known = decodeKnown(codec, event) as ConversationEvent | null;
    if (known !== null) return known;
    const message = `the conversation was written to by a newer version of the service (${event.type}): ask that one`;
    throw new DomainError('unavailable', message);
  });
  return { history, state: fold(conversation, history, conversation.initial) };
};

/** @throws DomainError not_found unless it is there, held for this principal, and within what the key may see */
export const loadVisible = async (
  deps: LoadDeps,
  caller: Caller,
  id: string,
  principal_id: string | null,
): Promise<Loaded<OpenConversation>> => {
  const { history, state } = await load(deps, caller.tenant, id);
  mustReach(caller)(state);
  return { history, state: visible(state, principal_id) };
};

/**
 * Answers may tell of every source group that their asker could see: a key that is restricted to fewer does not find
 * the conversation.
 */
export const mustReach =
  (caller: Caller) =>
  (state: ConversationState): void => {
    if (state.status !== 'none' && !reaches(caller, state.source_group_ids)) throw noSuchConversation();
  };

export const reaches = ({ grant }: Caller, source_group_ids: readonly string[] | null): boolean => {
  const within = grant.source_group_ids;
  return within === null || (source_group_ids?.every((id) => within.includes(id)) ?? false);
};
