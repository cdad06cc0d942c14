/** A call of a tool as a model asked for it. `arguments`: the JSON text that the model gave, as it gave it. */
export interface ToolCall {
  /** Unique within its run; what answers it names it. */
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** What the provider wants to see again with this call; absent: nothing. Opaque. */
  readonly signature?: string;
}

/** A message of the history of a thread, as a model is shown it. */
export type AgentMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
}
