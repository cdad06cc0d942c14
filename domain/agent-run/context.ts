import type { AgentMessage } from './message.ts';
import type { InputHistoryMode } from './terms.ts';

/** A run as it stands in the history of those that follow it: what was put to it, then what it added. */
export interface Turn {
  readonly runId: string;
  readonly inputHistoryMode: InputHistoryMode;
  /** Every call of a tool in it has its answer in it. */
  readonly messages: readonly AgentMessage[];
  /** What the messages take of a model's window. */
  readonly tokens: number;
}

export interface Context {
  readonly messages: readonly AgentMessage[];
  /** The oldest run in it; null: none was needed, or none fits. */
  readonly startRunId: string | null;
  /** Older turns were left out. */
  readonly truncated: boolean;
}

/** A context that grows from the parent of a run towards the root. */
export interface Growing extends Context {
  /** Tokens that are left. */
  readonly room: number;
  /** Nothing older belongs into it. */
  readonly complete: boolean;
}

export const emptyContext = (budget: number): Growing => ({
  messages: [],
  startRunId: null,
  truncated: false,
  room: budget,
  complete: false,
});

/**
 * The context with one older turn, whole or not at all, so that no call of a tool is parted from its answer. A turn of
 * `legacy_full` holds all that was before it.
 */
export const grow = (context: Growing, turn: Turn): Growing => {
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

/** What a run came to. Of one that did not succeed, that which is whole: up to the first call of a tool without an answer. */
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
