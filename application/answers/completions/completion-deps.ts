import type { Caller } from '../../access/caller.ts';
import type { Shown } from '../conversations/message-text.ts';
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

/** One question and the place for its answer, recorded. */
export interface Turn extends CompletionIds {
  /** From the root of the conversation to the question, which is last. */
  readonly history: readonly PromptMessage[];
}

/** What is kept of an answer. */
export interface Answered {
  readonly content: string;
  readonly finishReason: FinishReason;
  readonly model: string;
  readonly usage: ModelUsage | null;
  readonly citedContentIds: readonly string[];
  readonly webCitations: readonly WebCitation[];
  /** Of an answer that can be asked for again. */
  readonly shown?: Shown;
}

/** Conversations, as completions need them. */
export interface Turns {
  /** @throws DomainError not_found for a conversation, message or principal that the caller may not know of */
  readonly open: (caller: Caller, request: CompletionRequest, claimed?: ClaimedTurn) => Promise<Turn>;
  /** Answers when it ended, in Unix milliseconds. */
  readonly finish: (caller: Caller, turn: Turn, answered: Answered) => Promise<number>;
  readonly fail: (caller: Caller, turn: Turn, code: string) => Promise<void>;
}

/** Hides in an answer, as it streams, what the tenant's policies forbid. */
export interface Redactor {
  readonly push: (piece: string) => string;
  readonly flush: () => string;
}

export interface CompletionDeps {
  /** By the policies in force now. Throws where they cannot be read: then nothing may be answered. */
  readonly redactorFor: (tenant: string) => Promise<Redactor>;
  readonly turns: Turns;
  readonly search: SearchOperations['search'];
  /** Null where no web search is set up. */
  readonly ground: Ground | null;
  readonly offer: ModelOffer;
  readonly ids: IdSource;
  /** For requests with an `Idempotency-Key`. */
  readonly claimCompletion: ClaimCompletion;
  readonly replay: Replay;
  readonly log: Logger;
}
