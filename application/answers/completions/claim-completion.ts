import {
  type OpenConversation,
  conversation,
  noSuchConversation,
  visible,
} from '../../../domain/conversation/index.ts';
import { type CompletionKeyClaimed, completionKey } from '../../../domain/idempotency/completion-key.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import { conversationStream, derivedId, idempotencyStream } from '../../event-sourcing/streams.ts';
import { canonicalJson } from '../../event-sourcing/idempotent.ts';
import type { Hash, IdSource } from '../../ports/identity.ts';
import { type AnswerLeases, AnswerInProgress } from '../../ports/leases.ts';
import { filterAsWritten } from '../../search/retrieval-filter.ts';
import { storeTexts, requestOf } from '../conversations/message-text.ts';
import { load, loadVisible, mustReach } from '../conversations/load-conversation.ts';
import type { ClaimedTurn, TurnDeps } from '../conversations/turns.ts';
import type { CompletionRequest } from './completion.ts';

/** Identifies a repeated request. */
export const fingerprintOf = ({ sha256 }: Hash, request: CompletionRequest): string =>
  sha256(canonicalJson({ ...request, filter: filterAsWritten(request.filter) }));

/** The outcome of claiming an `Idempotency-Key`. */
export type CompletionClaim =
  /** The request is to be answered, with these ids. Call `done` when the answer has ended, in whatever way. */
  | {
      readonly kind: 'first';
      readonly request: CompletionRequest;
      readonly claimed: ClaimedTurn;
      readonly done: () => Promise<void>;
    }
  /** The request has been answered before. */
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
  /** How long the lease on an answer outlives a process that died, in milliseconds. */
  readonly leaseMs: number;
  /** Calls `run` every `ms` milliseconds until it is stopped. A failed call is only repeated at the next interval. */
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

/** How often the lease is renewed within its duration. */
const RENEWALS_PER_LEASE = 3;

/**
 * Admits one of the requests that use the same key. An answer uses the key up. If the first request failed, the next
 * one is admitted: the same request continues the conversation that the first one started, a different request starts
 * over.
 *
 * @throws AnswerInProgress; DomainError idempotency_conflict, not_found, not_configured without a master key
 */
export const createClaimCompletion =
  (deps: ClaimCompletionDeps): ClaimCompletion =>
  async (caller, request, key, signal) => {
    const name = derivedId(deps.hash, 'idempotency', caller.tenant, 'createCompletion', key);
    const stream = idempotencyStream(name);
    const fingerprint = fingerprintOf(deps.hash, request);
    const repeated = { principalId: request.principalId, fingerprint };
    for (;;) {
      const last = (await deps.execute.load(completionKey, stream, caller.tenant))?.state ?? null;
      const firstRequest = last && (await firstRequestOf(deps, caller, last, repeated));
      if (last !== null && firstRequest?.kind === 'answered') return { ...last, kind: 'again' };
      const question = firstRequest?.kind === 'free' ? firstRequest.question : null;
      const admittedRequest =
        last === null || question === null
          ? request
          : regenerateRequest(request, last.conversationId, question);
      const entry = await claimKey(deps, caller, { admittedRequest, fingerprint, stream, last }, signal);
      if (entry !== null) return entry;
    }
  };

/** The question is already stored: requests another answer to it, in place of the failed one. */
const regenerateRequest = (
  request: CompletionRequest,
  conversationId: string,
  parentMessageId: string,
): CompletionRequest => ({ ...request, conversationId, parentMessageId, regenerate: true });

interface Claim {
  readonly admittedRequest: CompletionRequest;
  readonly fingerprint: string;
  readonly stream: ReturnType<typeof idempotencyStream>;
  /** The current claim of the key. */
  readonly last: CompletionKeyClaimed | null;
}

/** Claims the key; returns null if another request was faster. */
const claimKey = async (
  deps: ClaimCompletionDeps,
  caller: Caller,
  { admittedRequest, fingerprint, stream, last }: Claim,
  signal: AbortSignal,
): Promise<CompletionClaim | null> => {
  const { vault, answerLeases, ids, leaseMs } = deps;
  const { conversationId = ids.newId(), principalId } = admittedRequest;
  const [question, answerId, at] = [ids.newId(), ids.newId(), deps.clock.now()];
  const owner = conversationStream(conversationId);
  // Checked before the claim, so that a refusal does not use the key.
  if (admittedRequest.conversationId === undefined) await vault.create(caller.tenant, owner);
  else await loadVisible(deps, caller, conversationId, principalId);
  const stored = await storeTexts(vault, caller.tenant, conversationId, {
    id: requestOf(answerId),
    text: fingerprint,
  });
  await answerLeases.hold(answerId, leaseMs);
  const command = {
    type: 'claim',
    insteadOf: last?.answerId ?? null,
    conversationId,
    answerId,
    at,
  } as const;
  const { state } = await deps.execute(completionKey, stream, command, caller.context);
  if (state?.answerId !== answerId) {
    if (admittedRequest.conversationId === undefined) await vault.destroy(caller.tenant, owner);
    else await stored.forget();
    await answerLeases.release(answerId);
    return null;
  }
  const renewing = deps.every(leaseMs / RENEWALS_PER_LEASE, () => answerLeases.hold(answerId, leaseMs));
  signal.addEventListener('abort', renewing.stop, { once: true });
  const done = async (): Promise<void> => {
    renewing.stop();
    await answerLeases.release(answerId).catch(() => undefined); // it expires by itself
  };
  return {
    kind: 'first',
    request: admittedRequest,
    claimed: { ids: [conversationId, question, answerId], at },
    done,
  };
};

type FirstRequest =
  /** An answer exists, and the caller may see it. */
  | { readonly kind: 'answered' }
  /** The request failed. `question` is the id of the stored question if the same question was asked. */
  | { readonly kind: 'free'; readonly question: string | null };

export interface FirstRequestDeps extends Pick<TurnDeps, 'execute' | 'vault' | 'clock'> {
  readonly answerLeases: AnswerLeases;
}

interface RepeatedRequest {
  readonly principalId: string | null;
  readonly fingerprint: string;
}

/**
 * Determines the state of the request that first used a key. Marks its answer as failed if the process that wrote it
 * died.
 *
 * @throws AnswerInProgress; DomainError idempotency_conflict when the current request differs from the first one,
 *   not_found when the conversation was deleted or the caller may not see it
 */
const firstRequestOf = async (
  deps: FirstRequestDeps,
  caller: Caller,
  { conversationId, answerId }: CompletionKeyClaimed,
  repeated: RepeatedRequest,
): Promise<FirstRequest> => {
  const owner = conversationStream(conversationId);
  const state = await load(deps, caller.tenant, conversationId);
  if (state.status === 'deleted') throw noSuchConversation();
  const texts = await deps.vault.read(caller.tenant, owner, [requestOf(answerId)]);
  const stored = texts?.get(requestOf(answerId));
  const isSame = stored === repeated.fingerprint;
  const answer = state.status === 'open' ? answerIn(state, answerId) : undefined;
  if (answer?.status === 'failed') return { kind: 'free', question: isSame ? answer.parentId : null };
  if (answer?.status === 'finished') {
    if (!isSame) throw keyConflict();
    mustReach(caller)(state);
    visible(state, repeated.principalId);
    return { kind: 'answered' };
  }
  if (await deps.answerLeases.isHeld(answerId)) throw isSame ? new AnswerInProgress() : keyConflict();
  if (answer === undefined) return { kind: 'free', question: null };
  const command = { type: 'fail_answer', answerId, code: 'writer_lost', at: deps.clock.now() } as const;
  await deps.execute(conversation, owner, command, caller.context);
  // Another process may have finished the answer at the same moment.
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

const keyConflict = (): DomainError =>
  new DomainError(
    'idempotency_conflict',
    'this Idempotency-Key was used with another body: send a new key with a new request',
  );
