import type { Caller } from '../../access/caller.ts';
import type { PromptSources } from '../conversations/message-text.ts';
import type { ClaimedTurn } from '../conversations/turns.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { FinishReason, ModelUsage } from '../../ports/language-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WebCitation } from '../../ports/web-search.ts';
import type { SearchOperations } from '../../search/operations.ts';
import type { CompletionIds, CompletionRequest } from './completion.ts';
import type { Ground } from './grounding.ts';
import type { ModelOffer } from './model-choice.ts';
import type { ClaimCompletion } from './claim-completion.ts';
import type { PromptMessage } from './prompt.ts';
import type { Replay } from './replay.ts';

/** A recorded question and the ids of its answer. */
export interface Turn extends CompletionIds {
  /** The messages from the root of the conversation to the question, which is last. */
  readonly history: readonly PromptMessage[];
}

/** The stored parts of an answer. */
export interface StoredAnswer {
  readonly content: string;
  readonly finishReason: FinishReason;
  readonly model: string;
  readonly usage: ModelUsage | null;
  readonly citedContentIds: readonly string[];
  readonly webCitations: readonly WebCitation[];
  /** Set when the answer may be replayed. */
  readonly shown?: PromptSources;
}

/** Operations on conversations for completions. */
export interface Turns {
  /** @throws DomainError not_found for a conversation, message or principal that the caller may not see */
  readonly open: (caller: Caller, request: CompletionRequest, claimed?: ClaimedTurn) => Promise<Turn>;
  /** Returns the end time in Unix milliseconds. */
  readonly finish: (caller: Caller, turn: Turn, answered: StoredAnswer) => Promise<number>;
  readonly fail: (caller: Caller, turn: Turn, code: string) => Promise<void>;
}

/** Redacts one text, an answer or what a model thinks before it, while it streams. */
export interface Redactor {
  readonly push: (piece: string) => string;
  readonly flush: () => string;
}
export type NewRedactor = () => Redactor;

export interface CompletionDeps {
  /** Makes redactors by the current policies. Throws when they cannot be read: then nothing may be answered. */
  readonly redactorsFor: (tenant: string) => Promise<NewRedactor>;
  readonly turns: Turns;
  readonly search: SearchOperations['search'];
  /** Null when no web search is configured. */
  readonly ground: Ground | null;
  readonly offer: ModelOffer;
  readonly ids: IdSource;
  /** For requests with an `Idempotency-Key`. */
  readonly claimCompletion: ClaimCompletion;
  readonly replay: Replay;
  readonly log: Logger;
}
