import {
  conversation,
  noSuchConversation,
  type OpenConversation,
  visible,
} from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import { load, mustReach } from '../conversations/load.ts';
import { requestOf } from '../conversations/message-text.ts';
import type { TurnDeps } from '../conversations/turns.ts';
import { type AnswerLeases, StillAnswering } from '../../ports/leases.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import type { CompletionKeyClaimed } from '../../../domain/idempotency/completion-key.ts';

export type FirstRequest =
  /** There is an answer, which the caller may see. */
  | { readonly kind: 'answered' }
  /** It came to nothing. `question`: the same was asked, and is kept under this id. */
  | { readonly kind: 'free'; readonly question: string | null };

export interface FirstRequestDeps extends Pick<TurnDeps, 'execute' | 'vault' | 'clock'> {
  readonly answerLeases: AnswerLeases;
}

export interface Repeated {
  readonly principalId: string | null;
  /** Of what is asked now, in each form that it may be kept in. */
  readonly fingerprints: readonly string[];
}

/**
 * What became of the request that a key was first used with. An answer whose writer died is given up here.
 *
 * @throws StillAnswering; DomainError idempotency_conflict for another request than the first, not_found for what was
 *   deleted or the caller may not see
 */
export const firstRequestOf = async (
  deps: FirstRequestDeps,
  caller: Caller,
  { conversationId, answerId }: CompletionKeyClaimed,
  repeated: Repeated,
): Promise<FirstRequest> => {
  const owner = conversationStream(conversationId);
  const state = await load(deps, caller.tenant, conversationId);
  if (state.status === 'deleted') throw noSuchConversation();
  const texts = await deps.vault.read(caller.tenant, owner, [requestOf(answerId)]);
  const kept = texts?.get(requestOf(answerId));
  const isSame = kept !== undefined && repeated.fingerprints.includes(kept);
  const answer = state.status === 'open' ? answerIn(state, answerId) : undefined;
  if (answer?.status === 'failed') return { kind: 'free', question: isSame ? answer.parentId : null };
  if (answer?.status === 'finished') {
    if (!isSame) throw usedOtherwise();
    mustReach(caller)(state);
    visible(state, repeated.principalId);
    return { kind: 'answered' };
  }
  if (await deps.answerLeases.isHeld(answerId)) throw isSame ? new StillAnswering() : usedOtherwise();
  if (answer === undefined) return { kind: 'free', question: null };
  const command = { type: 'fail_answer', answerId, code: 'writer_lost', at: deps.clock.now() } as const;
  await deps.execute(conversation, owner, command, caller.context);
  // It may have been finished in this very moment.
  return firstRequestOf(
    deps,
    caller,
    { type: 'CompletionKeyClaimed', conversationId, answerId, at: 0 },
    repeated,
  );
};

const answerIn = ({ messages }: OpenConversation, answerId: string) => {
  const message = messages.get(answerId);
  return message?.role === 'assistant' ? message : undefined;
};

const usedOtherwise = (): DomainError =>
  new DomainError(
    'idempotency_conflict',
    'this Idempotency-Key was used with another body: send a new key with a new request',
  );
