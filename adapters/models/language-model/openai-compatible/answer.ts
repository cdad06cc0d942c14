import type {
  FinishReason,
  ModelDelta,
  ModelEvent,
  ModelUsage,
} from '../../../../application/ports/language-model.ts';
import { brokenOff, failedMidway, unreadable } from '../provider/failure.ts';
import type { Censor } from '../provider/failure.ts';
import { createPairKeeper } from '../provider/pair-keeper.ts';
import { readChunk } from './completion-chunk.ts';
import { createToolCallReader } from './tool-calls.ts';

const DONE = '[DONE]';

export interface AnswerOptions {
  /** UTF-16 units of text and arguments. */
  readonly maxCharacters: number;
  /** Whether tools were offered: calls of a model that was offered none are left out. */
  readonly offersTools: boolean;
  readonly censor: Censor;
  /** Called when only the usage may still come, and when nothing may come any more. */
  readonly onFinished: (owed: 'usage' | 'nothing') => void;
}

/**
 * Makes the port's events of a stream's data. An answer is complete with a finish reason or with `[DONE]`: what ends
 * without either broke off. Once it is complete, nothing that goes wrong afterwards matters; only the usage, which
 * comes after the finish reason, is then unknown.
 *
 * Throws {@link ProviderError}, and what `events` throws before the answer is complete.
 */
export async function* answerOf(
  events: AsyncIterable<string>,
  { maxCharacters, offersTools, censor, onFinished }: AnswerOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  let reason: FinishReason | null = null;
  let usage: ModelUsage | null = null;
  let refused = false;
  let characters = 0;
  const pairs = createPairKeeper();
  const tools = createToolCallReader();
  try {
    for await (const data of events) {
      if (data.trim() === DONE) {
        reason ??= 'stop';
        onFinished('nothing');
        continue; // to the end, so that the connection can be used again
      }
      const chunk = readChunk(data);
      if (chunk.kind === 'garbage') throw unreadable('something that is no chat completion');
      if (chunk.kind === 'error') throw failedMidway(chunk.error, censor);
      characters += chunk.text.length;
      for (const piece of chunk.toolCalls) characters += piece.name.length + piece.arguments.length;
      if (characters > maxCharacters) throw unreadable(`an answer of over ${maxCharacters} characters`);
      yield* delta(pairs.add(chunk.text));
      if (offersTools) tools.push(chunk.toolCalls);
      refused ||= chunk.isRefusal;
      usage = chunk.usage ?? usage;
      if (chunk.finish !== null && reason === null) onFinished('usage');
      reason ??= chunk.finish;
    }
  } catch (error) {
    if (reason === null) throw error;
  }
  if (reason === null) throw brokenOff();
  yield* delta(pairs.end());
  for (const call of tools.calls()) yield { kind: 'tool_call', ...call };
  yield { kind: 'finish', reason: refused ? 'content_filter' : reason, usage };
}

function* delta(text: string): Generator<ModelDelta> {
  if (text !== '') yield { kind: 'delta', text };
}
