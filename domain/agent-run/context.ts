import type { AgentMessage } from './message.ts';
import type { InputHistoryMode } from './terms.ts';

/** A run in the history of later runs: its input messages, then those that it added. */
export interface Turn {
  readonly runId: string;
  readonly inputHistoryMode: InputHistoryMode;
  /** Every tool call is followed by its result. */
  readonly messages: readonly AgentMessage[];
  /** Number of tokens of the messages. */
  readonly tokens: number;
}

export interface Context {
  readonly messages: readonly AgentMessage[];
  /** The oldest run in the context; null when none was needed or none fits. */
  readonly startRunId: string | null;
  /** Whether older turns were left out. */
  readonly truncated: boolean;
}

/** A context that grows from the parent of a run towards the root. */
export interface GrowingContext extends Context {
  /** Remaining tokens. */
  readonly room: number;
  /** Whether no older turn may be added. */
  readonly complete: boolean;
}

export const emptyContext = (budget: number): GrowingContext => ({
  messages: [],
  startRunId: null,
  truncated: false,
  room: budget,
  complete: false,
});

/**
 * Adds one older turn, completely or not at all, so that no tool call is separated from its result. A turn in mode
 * `legacy_full` contains everything before it.
 */
export const grow = (context: GrowingContext, turn: Turn): GrowingContext => {
  if (context.complete) return context;
  if (turn.tokens > context.room) return { ...context, truncated: true, complete: true };
  return {
    messages: [...turn.messages, ...context.messages],
    startRunId: turn.runId,
    truncated: false,
    room: context.room - turn.tokens,
    complete: turn.inputHistoryMode === 'legacy_full',
  };
};

/** The messages of an unsuccessful run up to the first tool call without a result. */
export const closedPart = (messages: readonly AgentMessage[]): readonly AgentMessage[] => {
  let closed = 0;
  const open = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) open.add(id);
    if (message.role === 'tool') open.delete(message.toolCallId);
    if (open.size === 0) closed = i + 1;
  }
  return messages.slice(0, closed);
};
