import {
  ProviderError,
  type FinishReason,
  type ModelEvent,
  type ModelToolCalled,
  type ModelUsage,
} from '../../../../application/ports/language-model.ts';
import { interruptedError, invalidResponseError } from '../provider/retrying.ts';
import { createPieces } from '../provider/surrogate-joiner.ts';
import type { SdkFinish, SdkPart, SdkToolCall } from './providers.ts';

export interface AnswerOptions {
  /** Limit of text, reasoning and arguments, in UTF-16 units. */
  readonly maxCharacters: number;
  /** Whether tools were offered: calls of a model without tools are dropped. */
  readonly offersTools: boolean;
  /** Creates the error to throw for an error that the stream reports. */
  readonly errorOf: (reported: unknown) => Error;
  /** Called for each event of the provider except pings. */
  readonly onEvent: () => void;
  /** Called when the consumer receives a piece. */
  readonly onDelta: () => void;
  /** Called when nothing more is expected. */
  readonly onFinished: () => void;
}

/**
 * Converts the SDK's parts to the port's events. An answer is complete when it has a finish with the provider's own
 * reason: the SDK invents a finish when the stream just ends. After completion, errors no longer matter. Throws {@link
 * ProviderError}, and what `parts` throws before the answer is complete.
 */
export async function* answerOf(
  parts: AsyncIterable<SdkPart>,
  { maxCharacters, offersTools, errorOf, onEvent, onDelta, onFinished }: AnswerOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  let finish: SdkFinish | null = null;
  let characters = 0;
  const pieces = createPieces();
  const calls: SdkToolCall[] = [];
  try {
    for await (const part of parts) {
      if (finish !== null) continue; // read to the end, so that the connection can be reused
      if (part.type === 'raw' && !isPing(part.rawValue)) onEvent();
      if (part.type === 'error') throw errorOf(part.error);
      if (part.type === 'finish') {
        finish = part;
        onFinished();
      } else if ('delta' in part) {
        characters += part.delta.length;
        if (characters > maxCharacters)
          throw invalidResponseError(`an answer of over ${maxCharacters} characters`);
        if (part.type === 'tool-input-delta') continue; // the complete call follows
        onDelta();
        yield* pieces.add(part.type === 'text-delta' ? 'delta' : 'reasoning', part.delta);
        onEvent();
      } else if (part.type === 'tool-call' && offersTools) {
        calls.push(part);
        if (calls.length > MAX_CALLS)
          throw invalidResponseError(`more than ${MAX_CALLS} calls of tools at once`);
      }
    }
  } catch (error) {
    if (finish === null) throw error;
  }
  const reason = finish === null ? null : reasonOf(finish.finishReason);
  if (finish === null || reason === null) throw interruptedError();
  yield* pieces.end();
  yield* calls.map(callOf);
  yield { kind: 'finish', reason, usage: usageOf(finish.usage) };
}

const MAX_CALLS = 128;

/** Provider metadata of a call, such as Gemini's thought signature, is sent back unchanged. */
const callOf = ({ toolCallId, toolName, input, providerMetadata }: SdkToolCall): ModelToolCalled => ({
  kind: 'tool_call',
  id: toolCallId,
  name: toolName,
  arguments: input,
  ...(providerMetadata !== undefined && { signature: JSON.stringify(providerMetadata) }),
});

const isPing = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && (raw as { readonly type?: unknown }).type === 'ping';

/** `tool-calls` is an end like `stop`: the calls themselves show it. Null: the stream ended without a reason. */
const reasonOf = ({ unified, raw }: SdkFinish['finishReason']): FinishReason | null => {
  if (raw === undefined) return null;
  if (unified === 'stop' || unified === 'tool-calls') return 'stop';
  if (unified === 'length' || raw === 'model_context_window_exceeded') return 'length';
  if (unified === 'content-filter') return 'content_filter';
  const word = /^\w{1,60}$/.test(raw) ? ` (${raw})` : '';
  throw new ProviderError(`the provider of the language model gave its answer up${word}`, {
    retryable: false,
  });
};

const usageOf = ({ inputTokens, outputTokens }: SdkFinish['usage']): ModelUsage | null => {
  const [input, output] = [inputTokens.total, outputTokens.total];
  return isCount(input) && isCount(output) ? { inputTokens: input, outputTokens: output } : null;
};

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
