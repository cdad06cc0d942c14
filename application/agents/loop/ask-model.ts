import type { AskModel, Fact, LoopMessage } from '../../../domain/agent-loop/step.ts';
import type { ToolCall } from '../../../domain/agent-run/message.ts';
import { createKnownMarks } from '../../../domain/answer/citation-marks.ts';
import { retryDelayMs } from '../runs/back-off.ts';
import { type Emit, RunFailure } from '../runs/run-executor.ts';
import { estimateTokens } from '../../answers/completions/prompt.ts';
import {
  type LanguageModel,
  type ModelRequest,
  type ModelTool,
  type ModelUsage,
  ProviderError,
  ProviderTimeout,
} from '../../ports/language-model.ts';
import { requestMessages } from './request.ts';

/** A model with the limits and prices that apply to a run. */
export interface RunModel {
  readonly model: LanguageModel;
  /** Maximum tokens of each answer; null: the model's own limit. */
  readonly maxTokens: number | null;
  /** Price of a million tokens in the operator's currency; null when unknown. */
  readonly price: { readonly input: number; readonly output: number } | null;
}

export interface ModelAsking extends RunModel {
  readonly tools: readonly ModelTool[];
  /** The messages of earlier runs. */
  readonly history: ReadonlySet<LoopMessage>;
  readonly nonce: string;
  readonly step: number;
  readonly emit: Emit;
  /** Waits `ms` milliseconds, or until the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Remaining time of the run in milliseconds. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
}

type AnsweredFact = Extract<Fact, { kind: 'answered' }>;

/**
 * Calls the model as one step of the run, and records the request and the answer. If the provider is busy or fails
 * before the first text of the answer, the call is retried with growing delays while the run has time left. After the
 * first text it is not retried, because text that was already emitted cannot be taken back. Reasoning is no part of the
 * answer, and that of a failed call stays.
 *
 * @throws RunFailure `provider_busy`, `provider_error`, `provider_timeout`, `answer_broken_off`, `context_exceeded`;
 *   the reason of the signal
 */
export const askModel = async (asking: ModelAsking, decision: AskModel): Promise<AnsweredFact> => {
  const { model, step, emit } = asking;
  const request = requestOf(asking, decision);
  const messageCount = request.messages.length;
  await Promise.all([
    emit({ kind: 'step', step }),
    emit({ kind: 'model_called', step, model: model.name, messageCount, request }),
  ]);
  if (messageCount < decision.messages.length) await emit({ kind: 'note', ...OLDER_TURNS_LEFT_OUT });
  for (let attempt = 1; ; attempt += 1) {
    let emitted = false;
    try {
      return await answered(asking, request, decision.citable, () => {
        emitted = true;
      });
    } catch (error) {
      asking.signal.throwIfAborted();
      if (emitted) throw interruptedAnswer(error);
      const waitMs = delayAfter(error, attempt);
      if (waitMs === null || waitMs >= asking.leftMs()) throw failureOf(error);
      const message = `The provider of the model is busy or unavailable: retrying in ${waitMs / 1_000} s.`;
      await emit({ kind: 'note', code: 'provider_retry', message });
      await asking.sleep(waitMs, asking.signal);
      asking.signal.throwIfAborted();
    }
  }
};

const OLDER_TURNS_LEFT_OUT = {
  code: 'history_shortened',
  message:
    'Older turns of the thread were left out of this request: they do not fit the model beside its tools.',
};

const requestOf = (
  { model, maxTokens, tools, history, nonce }: ModelAsking,
  { messages, offersTools, passages, responseSchema }: AskModel,
): ModelRequest => {
  const offered = offersTools ? tools : [];
  const room = {
    contextWindow: model.contextWindow,
    answerTokens: maxTokens ?? undefined,
    toolTokens: offered.length === 0 ? 0 : estimateTokens(JSON.stringify(offered)),
  };
  return {
    messages: requestMessages(messages, nonce, room, history),
    ...(offered.length > 0 && { tools: offered }),
    ...(passages !== undefined && { passages }),
    ...(responseSchema !== undefined && { responseSchema }),
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
  };
};

const answered = async (
  { model, price, step, emit, signal }: ModelAsking,
  request: ModelRequest,
  citable: AskModel['citable'],
  onDelta: () => void,
): Promise<AnsweredFact> => {
  const marks = citable === undefined ? null : createKnownMarks(new Set(citable));
  let content = '';
  let reasoning = '';
  const toolCalls: ToolCall[] = [];
  /**
   * Settles when the previous piece of text is stored. The loop waits for it, so that one piece at most is not stored
   * yet.
   */
  let lastStored = Promise.resolve();
  const store = async (kind: 'text' | 'reasoning', delta: string): Promise<void> => {
    await lastStored;
    lastStored = emit({ kind, step, delta });
    lastStored.catch(() => {});
  };
  for await (const event of model.stream(request, signal)) {
    if (event.kind === 'reasoning') {
      reasoning += event.text;
      await store('reasoning', event.text);
      continue;
    }
    const delta = event.kind === 'delta' ? (marks?.push(event.text) ?? event.text) : (marks?.flush() ?? '');
    if (delta !== '') {
      onDelta();
      content += delta;
      await store('text', delta);
    }
    if (event.kind === 'delta') continue;
    if (event.kind === 'tool_call') {
      if (request.tools === undefined) continue;
      const { kind: _, ...call } = event;
      toolCalls.push({ ...call, id: `${step}-${toolCalls.length + 1}-${call.id}`.slice(0, 200) });
    } else {
      const message = { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) } as const;
      const { reason: finishReason, usage } = event;
      // Not awaited: events are stored in order, so the next event, or the end of the run, waits for this one.
      emit({ kind: 'model_answered', step, model: model.name, usage, finishReason, message }).catch(() => {});
      return {
        kind: 'answered',
        message,
        finishReason,
        ...usedBy(request, { ...message, reasoning }, usage, price),
      };
    }
  }
  throw new ProviderError('the language model ended without a finish', { retryable: false });
};

/** Token counts that the provider does not report are estimated high, so that limits hold. */
const usedBy = (
  request: ModelRequest,
  message: { readonly content: string; readonly toolCalls?: readonly ToolCall[]; readonly reasoning: string },
  usage: ModelUsage | null,
  price: RunModel['price'],
): { readonly tokens: number; readonly cost: number } => {
  const input =
    usage?.inputTokens ?? request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const answerText =
    message.reasoning + message.content + (message.toolCalls ?? []).map((call) => call.arguments).join('');
  const output = usage?.outputTokens ?? estimateTokens(answerText);
  // Prices are per million tokens, so the sum is in millionths of the currency unit.
  const cost = price === null ? 0 : input * price.input + output * price.output;
  return { tokens: input + output, cost };
};

const delayAfter = (error: unknown, attempt: number): number | null => {
  const passes =
    (error instanceof ProviderError && error.retryable) ||
    (error instanceof ProviderTimeout && error.waitingFor === 'connection');
  const waitMs = retryDelayMs(attempt);
  if (!passes || waitMs === null) return null;
  const askedMs = error instanceof ProviderError ? error.retryAfterMs : 0;
  return Math.max(askedMs, waitMs);
};

/** The error after a part of the answer has been emitted. */
const interruptedAnswer = (error: unknown): unknown => {
  if (!(error instanceof ProviderError)) return failureOf(error);
  return new RunFailure('answer_broken_off', `${error.message}: a part of its answer was already sent`);
};

const failureOf = (error: unknown): unknown => {
  if (error instanceof ProviderTimeout) return new RunFailure('provider_timeout', error.message);
  if (!(error instanceof ProviderError)) return error;
  return new RunFailure(error.status === 429 ? 'provider_busy' : 'provider_error', error.message);
};
