import type {
  CompletionEvent,
  RunningCompletion,
} from '../../../application/answers/completions/completion.ts';
import { contentRecord } from '../routes/sources.ts';
import { completionRecord, webCitationRecord } from './completion-record.ts';

/** An event of the agent-UI protocol (AG-UI 1.0): `type` determines the other fields. */
export interface AgUiEvent {
  readonly type:
    | 'RUN_STARTED'
    | 'CUSTOM'
    | 'REASONING_START'
    | 'REASONING_MESSAGE_START'
    | 'REASONING_MESSAGE_CONTENT'
    | 'REASONING_MESSAGE_END'
    | 'REASONING_END'
    | 'TEXT_MESSAGE_START'
    | 'TEXT_MESSAGE_CONTENT'
    | 'TEXT_MESSAGE_END'
    | 'RUN_FINISHED'
    | 'RUN_ERROR';
  readonly [field: string]: unknown;
}

interface AgUiRun {
  readonly runId: string;
  readonly trace_id: string | null;
  readonly citation: boolean;
  readonly failureOf: (error: unknown) => ReportedFailure;
}

/** What a client learns about a failure. */
export interface ReportedFailure {
  readonly message: string;
  /** Its `error.type`. */
  readonly code: string;
  /** `retry_after`: seconds after which the same request may succeed. */
  readonly metadata?: { readonly retry_after: number };
}

/**
 * A completion in the order that AG-UI clients verify: its sources before the first word, what the model thinks before
 * it answers or between, the message between start and end, its citations, and the whole answer at the end. A failure
 * is the last event.
 */
export async function* agUiEvents(running: RunningCompletion, run: AgUiRun): AsyncGenerator<AgUiEvent> {
  const { conversationId, userMessageId, assistantMessageId, contents, web } = running;
  const ids = { threadId: conversationId, runId: run.runId };
  const messageId = assistantMessageId;
  const metadata = {
    conversation_id: conversationId,
    user_message_id: userMessageId,
    assistant_message_id: assistantMessageId,
    trace_id: run.trace_id,
  };
  yield { type: 'RUN_STARTED', ...ids, metadata };
  yield {
    type: 'CUSTOM',
    name: 'grounding',
    value: {
      contents: contents.map(contentRecord),
      web_citations: web.results.map(webCitationRecord),
      web_search_queries: web.queries,
      search_suggestion: web.suggestion,
    },
  };
  const reasoningId = `${messageId}-reasoning`;
  let [isThinking, isAnswering] = [false, false];
  try {
    for await (const event of running.events) {
      if (event.kind === 'reasoning') {
        if (!isThinking) yield* reasoningStart(reasoningId);
        isThinking = true;
        yield { type: 'REASONING_MESSAGE_CONTENT', messageId: reasoningId, delta: event.text };
        continue;
      }
      if (isThinking) yield* reasoningEnd(reasoningId);
      isThinking = false;
      // Only now: clients show messages in the order in which they start.
      if (!isAnswering) yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      isAnswering = true;
      yield* message(event, messageId, ids, run.citation);
    }
  } catch (error) {
    yield { type: 'RUN_ERROR', ...run.failureOf(error) };
  }
}

/** Begins a stretch of reasoning, as one message; a client adds a later one of the same id to it. */
export const reasoningStart = (messageId: string): readonly AgUiEvent[] => [
  { type: 'REASONING_START', messageId },
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
];
export const reasoningEnd = (messageId: string): readonly AgUiEvent[] => [
  { type: 'REASONING_MESSAGE_END', messageId },
  { type: 'REASONING_END', messageId },
];

function* message(
  event: Exclude<CompletionEvent, { kind: 'reasoning' }>,
  messageId: string,
  ids: { readonly threadId: string; readonly runId: string },
  citation: boolean,
): Generator<AgUiEvent> {
  if (event.kind === 'delta') {
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: event.text };
    return;
  }
  const result = completionRecord(event.completion);
  yield { type: 'TEXT_MESSAGE_END', messageId };
  if (citation) {
    const choices = result.choices.map(({ index, citations, web_citations: webCitations }) => ({
      index,
      citations,
      web_citations: webCitations,
    }));
    yield { type: 'CUSTOM', name: 'citations', value: { choices } };
  }
  yield { type: 'RUN_FINISHED', ...ids, result };
}
