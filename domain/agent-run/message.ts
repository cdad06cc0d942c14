/** A tool call of a model. `arguments` is the JSON text exactly as the model wrote it. */
export interface ToolCall {
  /** Unique within its run; its result refers to it. */
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Opaque data that the provider wants back with this call; absent when it needs none. */
  readonly signature?: string;
}

/** A message of a thread's history, as it is shown to a model. */
export type AgentMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
}
