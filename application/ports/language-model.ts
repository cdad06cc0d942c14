import type { Logger, LogFields } from './logger.ts';
import type { Passage } from '../../domain/answer/passage.ts';
import type { UnwrittenWord } from '../../domain/ranking/unwritten.ts';

/**
 * One turn of a conversation, an instruction that holds for all of it, or the result of a tool. After an assistant's
 * message with calls come the results of all of them, in any order.
 */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      /** Absent: none. */
      readonly toolCalls?: readonly ModelToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** A tool that the model may ask for. It never calls one itself. */
export interface ModelTool {
  /** 1 to 64 letters, digits, `_` and `-`: what every provider takes. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One call of a tool that the model asks for. */
export interface ModelToolCall {
  /** Tells the calls of a conversation apart; made up by the adapter where the provider gives none. */
  readonly id: string;
  /** As the model wrote it: not always the name of a tool that it was offered. */
  readonly name: string;
  /** As the model wrote it: meant to be a JSON object, and not always one. */
  readonly arguments: string;
  /**
   * What the provider wants to see again with this call, as JSON; absent: nothing. Opaque, and without value to another
   * model.
   */
  readonly signature?: string;
}

export interface ModelRequest {
  /** In order; the last one is the question of the user, or the result of a tool. */
  readonly messages: readonly ModelMessage[];
  /** What the model may ask for, by different names. Only where `toolUse` says so; absent or empty: nothing. */
  readonly tools?: readonly ModelTool[];
  /**
   * What the messages number as `[1]`, `[2]` …, once more as data: number n is at place n - 1. For models that work on
   * the passages themselves; one that reads the messages ignores it.
   */
  readonly passages?: readonly Passage[];
  /** The last question as the passages were found for it, without its misspellings; for the same models. Absent: as asked. */
  readonly question?: string;
  /** What was searched for and no content has, for the same models; absent where that is not known. */
  readonly unwritten?: readonly UnwrittenWord[];
  /** Whether the answer is to mark the passages that it rests on, default true; for the same models. */
  readonly cite?: boolean;
  /** At least 1. The model stops there, with reason `length`. Default: what the model allows. */
  readonly maxOutputTokens?: number;
  /** 0 to 2. Default: the model's own; some models refuse any other. */
  readonly temperature?: number;
  /**
   * JSON Schema of the answer. The answer then is JSON and as a rule fits, but not every provider enforces that: the
   * caller validates. Only where `structuredOutput` says so.
   */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
}

/** The next piece of the answer; never empty, and never one half of a surrogate pair. */
export interface ModelDelta {
  readonly kind: 'delta';
  readonly text: string;
}

/** The model asks for a tool. */
export interface ModelToolCalled extends ModelToolCall {
  readonly kind: 'tool_call';
}

export type FinishReason =
  /** The answer is complete, with the calls that it asks for, if any. */
  | 'stop'
  /** `maxOutputTokens` or the context window was reached: it is cut. */
  | 'length'
  /** The provider withheld it, or a part of it; what was sent may be a refusal in place of an answer. */
  | 'content_filter';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface ModelFinish {
  readonly kind: 'finish';
  readonly reason: FinishReason;
  /** As the provider counts; null where it does not tell. */
  readonly usage: ModelUsage | null;
}

export type ModelEvent = ModelDelta | ModelToolCalled | ModelFinish;

/** Generates text. */
export interface LanguageModel {
  /** Shown to users as `model`. */
  readonly name: string;
  /** Tokens that messages and answer may have together. */
  readonly contextWindow: number;
  /** Whether `responseSchema` is understood. */
  readonly structuredOutput: boolean;
  /** Whether `tools` are understood. */
  readonly toolUse: boolean;

  /**
   * The answer as it is made: deltas, whose concatenation is the answer, then the calls that it asks for, each whole and
   * with an id of its own, in the model's order, then exactly one finish, which is last. There may be no delta at all,
   * and there are calls only where tools were offered. An answer that breaks off throws; it never looks finished.
   *
   * Nothing is asked before the first `next()`, and the result is iterated once. What may pass is tried again by the
   * adapter, but nothing after the first delta. Leaving the loop early cancels the request as `signal` does. The model
   * is not read faster than the consumer goes.
   *
   * @throws the reason of `signal`, promptly, once it aborts; no request is left open
   * @throws {ProviderError} {@link ProviderTimeout}
   * @throws DomainError `not_configured` for a `responseSchema` without `structuredOutput`, for tools without `toolUse`
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

interface ProviderErrorFacts {
  /** HTTP status of the provider; absent where there was no answer or where it broke off. */
  readonly status?: number;
  /** Whether the same request may do better later. */
  readonly retryable: boolean;
  /** How long the provider asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The provider's own words, cut short. They may repeat parts of the prompt: for a log, not for events or answers. */
  readonly detail?: string;
}

/**
 * The provider refused, failed, or answered what cannot be read (`provider_error`). The message is for users: it holds
 * no secret, no address and nothing of the prompt.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number;
  readonly detail: string | undefined;
  constructor(message: string, { status, retryable, retryAfterMs, detail }: ProviderErrorFacts) {
    super(message);
    this.status = status;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs ?? 0;
    this.detail = detail;
  }
}

/** A provider that wants to be left alone for a while (`rate_limited`). A quota that is used up does not pass by itself. */
export const isBusy = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.status === 429 && error.retryable;

/** What was waited for: a connection, the first and each next piece of the answer, the whole of it. */
export type WaitingFor = 'connection' | 'first_token' | 'next_token' | 'end';

/** The provider took too long (`provider_timeout`). The request was given up. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
  readonly waitingFor: WaitingFor;
  /** @param provider as the message calls it: the web search may take too long as well */
  constructor(waitingFor: WaitingFor, ms: number, provider = 'the provider of the language model') {
    super(`${provider} took longer than ${ms} ms: ${WAITED[waitingFor]}`);
    this.waitingFor = waitingFor;
  }
}

const WAITED: { readonly [For in WaitingFor]: string } = {
  connection: 'no connection',
  first_token: 'no answer began',
  next_token: 'the answer stood still',
  end: 'the answer did not end',
};

/** What operators know a provider by. */
export type ProviderKind = 'language model' | 'web search' | 'embeddings' | 'reranker';

/**
 * What a log may tell of a provider that failed: its kind, `provider_error` or `provider_timeout`, the HTTP status where
 * there was one, and what was waited for. No message: it may hold words of the provider. Null for other errors.
 */
export const providerFailure = (provider: ProviderKind, error: unknown): LogFields | null => {
  if (error instanceof ProviderTimeout)
    return { provider, code: 'provider_timeout', waitedFor: error.waitingFor };
  if (error instanceof ProviderError) return { provider, code: 'provider_error', status: error.status };
  // Of a signal that aborts after some time.
  if (error instanceof Error && error.name === 'TimeoutError') return { provider, code: 'provider_timeout' };
  return null;
};

/** One line for a request that a provider has failed, where it is given up. Whatever else failed is told elsewhere. */
export const logProviderFailure = (
  log: Logger,
  provider: ProviderKind,
  error: unknown,
  about: LogFields = {},
): void => {
  const failure = providerFailure(provider, error);
  if (failure !== null) log.warn('a provider failed', { ...failure, ...about });
};
