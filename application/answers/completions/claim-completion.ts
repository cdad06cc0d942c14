import {
  type OpenConversation,
  conversation,
  noSuchConversation,
  visible,
} from '../../../domain/conversation/index.ts';
import { type CompletionKeyClaimed, completionKey } from '../../../domain/idempotency/completion-key.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { Caller } from '../../access/caller.ts';
import { conversationStream, derivedId, idempotencyStream } from '../../event-sourcing/streams.ts';
import { canonicalJson, sortedJson } from '../../event-sourcing/idempotent.ts';
import type { Hash, IdSource } from '../../ports/identity.ts';
import { type AnswerLeases, AnswerInProgress } from '../../ports/leases.ts';
import { filterAsWritten } from '../../search/retrieval-filter.ts';
import { keep, requestOf } from '../conversations/message-text.ts';
import { load, loadVisible, mustReach } from '../conversations/load.ts';
import type { ClaimedTurn, TurnDeps } from '../conversations/turns.ts';
import type { CompletionRequest } from './completion.ts';

/**
 * What a repeated request is known by: the form that is kept, and the one that an earlier version kept where a request
 * filters by metadata. Its filters stood there under the places where they apply.
 */
export const fingerprintsOf = (
  { sha256 }: Hash,
  request: CompletionRequest,
): readonly [kept: string, ...before: string[]] => {
  const { onSources, onChunks, ...fixed } = request.filter;
  const kept = sha256(canonicalJson({ ...request, filter: filterAsWritten(request.filter) }));
  if (onSources === undefined && onChunks === undefined) return [kept];
  const places = {
    ...(onSources !== undefined && { onSources }),
    ...(onChunks !== undefined && { onChunks }),
  };
  const { filter, ...rest } = snakeKeys({ ...request, filter: fixed }) as { readonly filter: object };
  return [kept, sha256(sortedJson({ ...rest, filter: { ...filter, ...places } }))];
};

/** How a request with an `Idempotency-Key` goes on. */
export type CompletionClaim =
  /** It is to be answered, with these ids. `done` is to be called once the answer has ended, however it did. */
  | {
      readonly kind: 'first';
      readonly request: CompletionRequest;
      readonly claimed: ClaimedTurn;
      readonly done: () => Promise<void>;
    }
  /** It was answered before. */
  | ({ readonly kind: 'again' } & Pick<CompletionKeyClaimed, 'conversationId' | 'answerId'>);

export type ClaimCompletion = (
  caller: Caller,
  request: CompletionRequest,
  key: string,
  signal: AbortSignal,
) => Promise<CompletionClaim>;

export interface ClaimCompletionDeps extends FirstRequestDeps {
  readonly hash: Hash;
  readonly ids: IdSource;
  /** How long the answer of a process that died stays its own, in milliseconds. */
  readonly holdMs: number;
  /** Calls `run` every `ms` until it is stopped. What fails is tried again at its next turn. */
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

/** A hold is renewed this often in its length. */
const RENEWALS = 3;

/**
 * Lets one of those requests through that come with the same key. The key is used up by an answer: where the first
 * request came to nothing the next one is let through, the same in the conversation that it began, any other anew.
 *
 * @throws AnswerInProgress; DomainError idempotency_conflict, not_found, not_configured without a master key
 */
export const createClaimCompletion =
  (deps: ClaimCompletionDeps): ClaimCompletion =>
  async (caller, request, key, signal) => {
    const name = derivedId(deps.hash, 'idempotency', caller.tenant, 'createCompletion', key);
    const stream = idempotencyStream(name);
    const fingerprints = fingerprintsOf(deps.hash, request);
    const [fingerprint] = fingerprints;
    const repeated = { principalId: request.principalId, fingerprints };
    for (;;) {
      const last = (await deps.execute.load(completionKey, stream, caller.tenant))?.state ?? null;
      const standing = last && (await firstRequestOf(deps, caller, last, repeated));
      if (last !== null && standing?.kind === 'answered') return { ...last, kind: 'again' };
      const question = standing?.kind === 'free' ? standing.question : null;
      const asked =
        last === null || question === null ? request : again(request, last.conversationId, question);
      const entry = await claim(deps, caller, { asked, fingerprint, stream, last }, signal);
      if (entry !== null) return entry;
    }
  };

/** The question is there: another answer to it, in place of the one that failed. */
const again = (
  request: CompletionRequest,
  conversationId: string,
  parentMessageId: string,
): CompletionRequest => ({ ...request, conversationId, parentMessageId, regenerate: true });

interface Claim {
  readonly asked: CompletionRequest;
  readonly fingerprint: string;
  readonly stream: ReturnType<typeof idempotencyStream>;
  /** What the key leads to so far. */
  readonly last: CompletionKeyClaimed | null;
}

/** Null: another request was faster. */
const claim = async (
  deps: ClaimCompletionDeps,
  caller: Caller,
  { asked, fingerprint, stream, last }: Claim,
  signal: AbortSignal,
): Promise<CompletionClaim | null> => {
  const { vault, answerLeases, ids, holdMs } = deps;
  const { conversationId = ids.newId(), principalId } = asked;
  const [question, answerId, at] = [ids.newId(), ids.newId(), deps.clock.now()];
  const owner = conversationStream(conversationId);
  // Before the claim: what is refused here leaves the key alone.
  if (asked.conversationId === undefined) await vault.create(caller.tenant, owner);
  else await loadVisible(deps, caller, conversationId, principalId);
  const kept = await keep(vault, caller.tenant, conversationId, {
    id: requestOf(answerId),
    text: fingerprint,
  });
  await answerLeases.hold(answerId, holdMs);
  const command = {
    type: 'claim',
    insteadOf: last?.answerId ?? null,
    conversationId,
    answerId,
    at,
  } as const;
  const { state } = await deps.execute(completionKey, stream, command, caller.context);
  if (state?.answerId !== answerId) {
    if (asked.conversationId === undefined) await vault.destroy(caller.tenant, owner);
    else await kept.forget();
    await answerLeases.release(answerId);
    return null;
  }
  const renewing = deps.every(holdMs / RENEWALS, () => answerLeases.hold(answerId, holdMs));
  signal.addEventListener('abort', renewing.stop, { once: true });
  const done = async (): Promise<void> => {
    renewing.stop();
    await answerLeases.release(answerId).catch(() => undefined); // it runs out by itself
  };
  return {
    kind: 'first',
    request: asked,
    claimed: { ids: [conversationId, question, answerId], at },
    done,
  };
};

type FirstRequest =
  /** There is an answer, which the caller may see. */
  | { readonly kind: 'answered' }
  /** It came to nothing. `question`: the same was asked, and is kept under this id. */
  | { readonly kind: 'free'; readonly question: string | null };

export interface FirstRequestDeps extends Pick<TurnDeps, 'execute' | 'vault' | 'clock'> {
  readonly answerLeases: AnswerLeases;
}

interface Repeated {
  readonly principalId: string | null;
  /** Of what is asked now, in each form that it may be kept in. */
  readonly fingerprints: readonly string[];
}

/**
 * What became of the request that a key was first used with. An answer whose writer died is given up here.
 *
 * @throws AnswerInProgress; DomainError idempotency_conflict for another request than the first, not_found for what was
 *   deleted or the caller may not see
 */
const firstRequestOf = async (
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
  if (await deps.answerLeases.isHeld(answerId)) throw isSame ? new AnswerInProgress() : usedOtherwise();
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
