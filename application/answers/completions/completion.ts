import type { ContentRecord } from '../../ports/catalog.ts';
import type { WebCitation } from '../../ports/web-search.ts';
import type { FinishReason, ModelUsage } from '../../ports/language-model.ts';
import type { RetrievalFilter } from '../../search/retrieval-filter.ts';
import type { Grounding } from './grounding.ts';
import type { ModelSettings } from './model-choice.ts';
import type { PromptMessage } from './prompt.ts';

export interface CompletionRequest extends ModelSettings {
  /** The last one is from the user: the question. */
  readonly messages: readonly PromptMessage[];
  /** Whether the answer cites the contents that it is based on. */
  readonly citation: boolean;
  /** Whether the web is searched in addition to the contents. */
  readonly grounding: boolean;
  /** Maximum number of contents for the answer, 1 to 50. */
  readonly limit: number;
  readonly usePostfilter: boolean;
  readonly filter: RetrievalFilter;
  readonly truncation: 'auto' | 'disabled';
  readonly principalId: string | null;
  /** Absent for the default policy. */
  readonly authzPolicy?: string;
  readonly conversationId?: string;
  /** Null: beside the first question. */
  readonly parentMessageId?: string | null;
  /** Whether to answer the user message `parentMessageId` again. */
  readonly regenerate: boolean;
}

export interface Cited {
  /** The cited contents: mark `[n]` refers to index n - 1. */
  readonly citations: readonly ContentRecord[];
  /** The cited web pages, whose marks are `[W1]`, `[W2]` … */
  readonly webCitations: readonly WebCitation[];
}

export interface CompletionChoice extends Cited {
  readonly index: 0;
  readonly message: { readonly role: 'assistant'; readonly content: string };
  readonly finishReason: FinishReason;
  readonly webSearchQueries: readonly string[];
  /** Empty when there is none. */
  readonly searchSuggestion: string;
}

export interface CompletionIds {
  readonly conversationId: string;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
}

export interface Completion extends CompletionIds {
  /** Unix seconds. */
  readonly created: number;
  readonly choices: readonly [CompletionChoice];
  /** The model that wrote the answer. */
  readonly model: string;
  /** Null when the provider does not report it. */
  readonly usage: ModelUsage | null;
}

export type CompletionEvent =
  /** `cited`: all citations so far, where this text or one before it has added some. */
  | { readonly kind: 'delta'; readonly text: string; readonly cited?: Cited }
  /** What the model thinks, redacted like the answer and no part of it: shown while it comes, and never stored. */
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'finished'; readonly completion: Completion };

/** A completion in progress. */
export interface RunningCompletion extends CompletionIds {
  /** The contents in the prompt, in the order of their numbers. */
  readonly contents: readonly ContentRecord[];
  /** The web pages in the prompt, and the queries that found them; empty without grounding. */
  readonly web: Grounding;
  /**
   * Deltas, whose concatenation is the answer, with the reasoning where the model tells it, and then one final
   * `finished`. Can be iterated once.
   */
  readonly events: AsyncIterable<CompletionEvent>;
  /**
   * Whether an earlier request with the same key was answered: then the model is not called and nothing is recorded.
   */
  readonly replayed: boolean;
}
