import type { RunEventView } from '../../../application/agents/runs/run-event-view.ts';
import type { Emission } from '../../../domain/agent-run/index.ts';
import { reasoningEnd, reasoningStart } from '../completions/agui.ts';

/** An event of the agent-UI protocol (AG-UI 1.0). */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What an AG-UI client considers open at this point of a run. */
export interface AgUiState {
  /** The step that was started and is not finished; 0 when none. */
  readonly step: number;
  /** The message that is being written; null when none. */
  readonly messageId: string | null;
  /** The reasoning that is being written; null when none. */
  readonly reasoningId: string | null;
}
export const NOTHING_OPEN: AgUiState = { step: 0, messageId: null, reasoningId: null };

interface Translated {
  readonly state: AgUiState;
  readonly events: readonly AgUiEvent[];
}

/**
 * Translates one event of a run for a client, which verifies the order: a step or message starts before its contents,
 * and ends before the run does. Reasoning ends with the next event that is none.
 */
export const agUiOf = (state: AgUiState, told: RunEventView): Translated => {
  const { reasoningId } = state;
  const goesOn = told.event.type === 'RunEmitted' && told.event.emission.kind === 'reasoning';
  if (reasoningId === null || goesOn) return translated(state, told);
  const next = translated({ ...state, reasoningId: null }, told);
  return { ...next, events: [...reasoningEnd(reasoningId), ...next.events] };
};

const translated = (state: AgUiState, told: RunEventView): Translated => {
  const { event, body } = told;
  const ids = { threadId: told.threadId, runId: told.runId };
  switch (event.type) {
    case 'RunQueued':
      return { state, events: [runStarted(told)] };
    case 'RunStarted': {
      const { contextStartRunId, contextTruncated } = event;
      const value = { context_start_run_id: contextStartRunId, context_truncated: contextTruncated };
      return { state, events: [custom('run_started', value)] };
    }
    case 'RunHandedOver': {
      const { runtimeArn, runtimeSessionId } = event;
      const value = { runtime_arn: runtimeArn, runtime_session_id: runtimeSessionId };
      return { state, events: [custom('handed_over', value)] };
    }
    case 'RunEmitted':
      return emitted(state, told, event.emission);
    case 'RunCancelRequested':
      return { state, events: [custom('cancel_requested', {})] };
    case 'RunSucceeded':
      return over(state, { type: 'RUN_FINISHED', ...ids, result: body?.['result'] ?? null });
    case 'RunFailed':
      return over(state, { type: 'RUN_ERROR', message: textOf(body, 'message'), code: event.code });
    case 'RunCancelled':
      return over(state, { type: 'RUN_ERROR', message: 'the run was cancelled', code: 'cancelled' });
  }
};

const emitted = (state: AgUiState, { runId, body }: RunEventView, emission: Emission): Translated => {
  switch (emission.kind) {
    case 'step': {
      const { step } = emission;
      const events = [...closing(state), { type: 'STEP_STARTED', stepName: stepName(step) }];
      return { state: { ...state, step, messageId: null }, events };
    }
    case 'text': {
      const messageId = messageIdOf(runId, emission.step);
      const content = { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: body?.['delta'] };
      return { state: { ...state, messageId }, events: [...opening(state, messageId), content] };
    }
    case 'reasoning': {
      const reasoningId = `${messageIdOf(runId, emission.step)}-reasoning`;
      const content = {
        type: 'REASONING_MESSAGE_CONTENT',
        messageId: reasoningId,
        delta: body?.['delta'],
      };
      const start = state.reasoningId === null ? reasoningStart(reasoningId) : [];
      return { state: { ...state, reasoningId }, events: [...start, content] };
    }
    case 'model_called': {
      const { step, model, messageCount } = emission;
      return { state, events: [custom('model_called', { step, model, message_count: messageCount })] };
    }
    case 'model_answered':
      return answered(state, messageIdOf(runId, emission.step), body);
    case 'tool_called': {
      const { callId: toolCallId, tool: toolCallName, step } = emission;
      const args = textOf(body, 'arguments');
      const parentMessageId = messageIdOf(runId, step);
      return {
        state,
        events: [
          { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
          ...(args === '' ? [] : [{ type: 'TOOL_CALL_ARGS', toolCallId, delta: args }]),
          { type: 'TOOL_CALL_END', toolCallId },
        ],
      };
    }
    case 'tool_answered': {
      const { content = '' } = (body?.['message'] ?? {}) as { content?: string };
      const toolCallId = emission.callId;
      const messageId = `${runId}-${toolCallId}`;
      return { state, events: [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }] };
    }
    case 'citations':
      return { state, events: [custom('citations', { content_ids: emission.contentIds })] };
    case 'note':
      return { state, events: [custom('note', { code: emission.code, message: textOf(body, 'message') })] };
  }
};

/** The end of a message. A message that was not streamed is sent whole. */
const answered = (state: AgUiState, messageId: string, body: RunEventView['body']): Translated => {
  if (state.messageId !== null) {
    return {
      state: { ...state, messageId: null },
      events: [{ type: 'TEXT_MESSAGE_END', messageId: state.messageId }],
    };
  }
  const { content = '' } = (body?.['message'] ?? {}) as { content?: string };
  if (content === '') return { state, events: [] };
  const delta = { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: content };
  return { state, events: [...opening(state, messageId), delta, { type: 'TEXT_MESSAGE_END', messageId }] };
};

/** For a client that resumes after an event: every stream begins with its run, and with what is open at that point. */
export const resumed = (told: RunEventView, state: AgUiState): readonly AgUiEvent[] => [
  runStarted(told),
  ...(state.step === 0 ? [] : [{ type: 'STEP_STARTED', stepName: stepName(state.step) }]),
  ...(state.messageId === null ? [] : [messageStart(state.messageId)]),
  ...(state.reasoningId === null ? [] : reasoningStart(state.reasoningId)),
];

const runStarted = ({ threadId, runId, parentRunId, traceId }: RunEventView): AgUiEvent => ({
  type: 'RUN_STARTED',
  threadId,
  runId,
  ...(parentRunId !== null && { parentRunId }),
  metadata: { thread_id: threadId, run_id: runId, parent_run_id: parentRunId, trace_id: traceId },
});
const custom = (name: string, value: object): AgUiEvent => ({ type: 'CUSTOM', name, value });
const messageStart = (messageId: string): AgUiEvent => ({
  type: 'TEXT_MESSAGE_START',
  messageId,
  role: 'assistant',
});
const opening = (state: AgUiState, messageId: string): readonly AgUiEvent[] =>
  state.messageId === messageId ? [] : [...closingMessage(state), messageStart(messageId)];
const closingMessage = ({ messageId }: AgUiState): readonly AgUiEvent[] =>
  messageId === null ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }];
const closing = (state: AgUiState): readonly AgUiEvent[] => [
  ...closingMessage(state),
  ...(state.step === 0 ? [] : [{ type: 'STEP_FINISHED', stepName: stepName(state.step) }]),
];
const over = (state: AgUiState, last: AgUiEvent): Translated => ({
  state: NOTHING_OPEN,
  events: [...closing(state), last],
});
const textOf = (body: RunEventView['body'], name: string): string => {
  const text = body?.[name];
  return typeof text === 'string' ? text : '';
};
const stepName = (step: number): string => `step ${step}`;
const messageIdOf = (runId: string, step: number): string => `${runId}-${step}`;
