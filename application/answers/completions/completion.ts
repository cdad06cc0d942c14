import type { ContentRecord } from '../../ports/catalog.ts';
import type { WebCitation } from '../../ports/web-search.ts';
import type { FinishReason, ModelUsage } from '../../ports/language-model.ts';
import type { RetrievalFilter } from '../../search/retrieval-filter.ts';
import type { Grounding } from './grounding.ts';
import type { ModelWish } from './model-choice.ts';
import type { PromptMessage } from './prompt.ts';

export interface CompletionRequest extends ModelWish {
  /** The last one is from the user: the question. */
  readonly messages: readonly PromptMessage[];
  /** Whether the answer names the contents that it rests on. */
  readonly citation: boolean;
  /** Whether the web is searched beside the contents. */
  readonly grounding: boolean;
  /** How many contents the answer may rest on, 1 to 50. */
  readonly limit: number;
  readonly usePostfilter: boolean;
  readonly filter: RetrievalFilter;
  readonly truncation: 'auto' | 'disabled';
  readonly principalId: string | null;
  /** Absent: the default policy. */
  readonly authzPolicy?: string;
  readonly conversationId?: string;
  readonly parentMessageId?: string;
  /** Answer the user message `parentMessageId` once more. */
  readonly regenerate: boolean;
}

export interface CompletionChoice {
  readonly index: 0;
  readonly message: { readonly role: 'assistant'; readonly content: string };
  readonly finishReason: FinishReason;
  /** What the answer cites: number n of its marks is at place n - 1. */
  readonly citations: readonly ContentRecord[];
  /** The same of pages of the web, whose marks are `[W1]`, `[W2]` … */
  readonly webCitations: readonly WebCitation[];
  readonly webSearchQueries: readonly string[];
  /** Empty: none. */
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
  /** What wrote the answer. */
  readonly model: string;
  /** Null where the provider does not tell. */
  readonly usage: ModelUsage | null;
}

export type CompletionEvent =
  | { readonly kind: 'delta'; readonly text: string }
  | { readonly kind: 'finished'; readonly completion: Completion };

/** A completion that is under way. */
export interface RunningCompletion extends CompletionIds {
  /** What the model was shown, in the order of its numbers. */
  readonly contents: readonly ContentRecord[];
  /** Pages of the web that it was shown behind them, with what was searched for; empty without grounding. */
  readonly web: Grounding;
  /** Deltas, whose concatenation is the answer, then one `finished`, which is last. Iterated once. */
  readonly events: AsyncIterable<CompletionEvent>;
  /** It was answered before, to another request with the same key: nothing is asked or recorded. */
  readonly replayed: boolean;
}
