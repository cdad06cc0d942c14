import type { AgentMessage, AssistantMessage, ToolCall } from '../agent-run/message.ts';
import { type Passage, passagesIn } from './passages.ts';
import type { Fact } from './step.ts';

/** An answer of the model. */
export interface Answer {
  readonly message: AssistantMessage;
  readonly finishReason: 'stop' | 'length' | 'content_filter';
  /** Number of messages in the transcript before it. */
  readonly place: number;
}

export interface ToolResult {
  readonly tool: string;
  readonly isError: boolean;
  readonly content: string;
}

/** The state of a run. */
export interface LoopState {
  /** In order; the first one is that of step 1. */
  readonly answers: readonly Answer[];
  /** Results by call id. */
  readonly returned: ReadonlyMap<string, ToolResult>;
  /** The answers of the model and the tool results, after the input. */
  readonly transcript: readonly AgentMessage[];
  /** The tool calls of the latest answer that have no result yet. */
  readonly pending: readonly ToolCall[];
  /** The passages that tools have returned; each number occurs once. */
  readonly passages: readonly Passage[];
  readonly tokens: number;
  readonly cost: number;
  readonly toolCalls: number;
}

export const INITIAL_STATE: LoopState = {
  answers: [],
  returned: new Map(),
  transcript: [],
  pending: [],
  passages: [],
  tokens: 0,
  cost: 0,
  toolCalls: 0,
};

export const evolve = (state: LoopState, fact: Fact): LoopState => {
  switch (fact.kind) {
    case 'answered': {
      const { message, finishReason, tokens, cost } = fact;
      return {
        ...state,
        answers: [...state.answers, { message, finishReason, place: state.transcript.length }],
        transcript: [...state.transcript, message],
        pending: message.toolCalls ?? [],
        tokens: state.tokens + tokens,
        cost: state.cost + cost,
      };
    }
    case 'returned': {
      const { callId, tool, isError, content } = fact;
      const returned = new Map(state.returned).set(callId, { tool, isError, content });
      return {
        ...state,
        returned,
        transcript: withResults(state, returned),
        pending: state.pending.filter(({ id }) => id !== callId),
        passages: [...state.passages, ...(isError ? [] : passagesIn(tool, content))],
        toolCalls: state.toolCalls + 1,
      };
    }
  }
};

/**
 * The transcript with the results of the latest answer's calls, in the order of the calls. Concurrent calls may return
 * in another order.
 */
const withResults = (
  { answers, transcript }: LoopState,
  returned: ReadonlyMap<string, ToolResult>,
): readonly AgentMessage[] => {
  const last = answers.at(-1);
  if (last === undefined) return transcript;
  const results = (last.message.toolCalls ?? []).flatMap(({ id }): AgentMessage[] => {
    const result = returned.get(id);
    return result === undefined ? [] : [{ role: 'tool', toolCallId: id, content: result.content }];
  });
  return [...transcript.slice(0, last.place + 1), ...results];
};
