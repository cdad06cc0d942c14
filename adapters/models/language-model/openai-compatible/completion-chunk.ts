import type { FinishReason, ModelUsage } from '../../../../application/ports/language-model.ts';
import type { ReportedError } from '../provider/retrying.ts';
import { type ToolCallPiece, toolCallPieces } from './tool-calls.ts';

/** One chunk of a streamed chat completion, or a whole completion that was not streamed. */
export type CompletionChunk =
  | {
      readonly kind: 'chunk';
      /** Empty when the chunk has no text, for example while the model reasons. */
      readonly text: string;
      /** What the server tells apart from the text as the model's reasoning; empty when there is none. */
      readonly reasoning: string;
      /** The text is a refusal instead of an answer. */
      readonly isRefusal: boolean;
      readonly toolCalls: readonly ToolCallPiece[];
      readonly finish: FinishReason | null;
      readonly usage: ModelUsage | null;
    }
  /** The provider failed after it had sent status 200. */
  | { readonly kind: 'error'; readonly error: ReportedError }
  | { readonly kind: 'garbage' };

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Parses the JSON of one chunk. Missing fields and fields of another type count as absent. */
export const readChunk = (json: string): CompletionChunk => {
  const chunk = parsed(json);
  if (chunk === undefined) return { kind: 'garbage' };
  const error = readError(chunk);
  if (error !== null) return { kind: 'error', error };
  if (!Array.isArray(chunk['choices'])) return { kind: 'garbage' };
  // The chunk with the usage has no choice.
  const choice = fieldsOf(chunk['choices'].find((one) => (fieldsOf(one)['index'] ?? 0) === 0));
  const finish = choice['finish_reason'];
  if (finish === 'error') return { kind: 'error', error: { code: null, message: null } };
  const said = fieldsOf(choice['delta'] ?? choice['message']);
  const refusal = textOf(said['refusal']);
  return {
    kind: 'chunk',
    text: textOf(said['content']) + refusal,
    reasoning: reasoningIn(said),
    isRefusal: refusal !== '',
    toolCalls: toolCallPieces(said['tool_calls']),
    finish: typeof finish === 'string' && finish !== '' ? finishOf(finish) : null,
    usage: usageOf(fieldsOf(chunk['usage'])),
  };
};

/**
 * The error in a body: `{error: {message, code, type}}` or `{error: "message"}`; from servers that validate requests by
 * a schema `{message}` or `{detail}`, which may be a list of errors.
 */
export const reportedError = (json: string): ReportedError | null => {
  const body = parsed(json);
  if (body === undefined) return null;
  const detail = body['message'] ?? body['detail'];
  const message = typeof detail === 'object' ? JSON.stringify(detail) : detail;
  return readError(body) ?? (typeof message === 'string' ? { code: null, message } : null);
};

const parsed = (json: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
};

const readError = ({ error }: Fields): ReportedError | null => {
  if (error === undefined || error === null) return null;
  if (typeof error === 'string') return { code: null, message: error };
  const { code, type, message } = fieldsOf(error);
  const word = [code, type].find((value) => typeof value === 'string' || typeof value === 'number');
  return {
    code: word === undefined ? null : String(word),
    message: typeof message === 'string' ? message : null,
  };
};

/** A string, or the text parts of a list of parts. */
const textOf = (content: unknown, name = 'text'): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => textOf(fieldsOf(part)[name])).join('');
};

/**
 * Servers name it differently (DeepSeek, vLLM, llama.cpp; OpenRouter, Ollama, Groq; Mistral in a part of the content).
 * Some send it under two names at once.
 */
const reasoningIn = ({ reasoning_content: own, reasoning, reasoning_details: details, content }: Fields) => {
  const parts = typeof content === 'string' ? '' : textOf(content, 'thinking');
  return textOf(own) || textOf(reasoning) || textOf(details) || parts;
};

/** Any other reason is an end like `stop`, including `tool_calls`: the calls themselves show it. */
const finishOf = (reason: string): FinishReason => {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  return reason === 'content_filter' ? 'content_filter' : 'stop';
};

const usageOf = ({ prompt_tokens: input, completion_tokens: output }: Fields): ModelUsage | null =>
  isCount(input) && isCount(output) ? { inputTokens: input, outputTokens: output } : null;

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
