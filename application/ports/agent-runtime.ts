/** A run as it is put to a runtime that somebody else operates. */
export interface RuntimeCall {
  readonly runtimeArn: string;
  /** At least 33 characters; calls with the same one meet the same memory. */
  readonly sessionId: string;
  /** JSON. */
  readonly payload: string;
  readonly mcpSessionId: string | null;
  /** W3C trace context; null: none. */
  readonly traceparent: string | null;
}

/** What a runtime tells of a run, in its order. */
export type RuntimeReport =
  /** It is there, and has said nothing that is kept. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'step' }
  /** The next piece of the message that is being written; it begins one where none is. */
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'message_ended' }
  /** `arguments`: JSON, as the runtime gave it. */
  | {
      readonly kind: 'tool_called';
      readonly callId: string;
      readonly tool: string;
      readonly arguments: string;
    }
  | {
      readonly kind: 'tool_answered';
      readonly callId: string;
      readonly isError: boolean;
      readonly content: string;
    }
  /** What the run came to, beside its messages; any JSON. */
  | { readonly kind: 'output'; readonly output: unknown };

/** Runtimes of agents that somebody else operates, such as Amazon Bedrock AgentCore. */
export interface AgentRuntime {
  /**
   * Asks once and never again, and gives what the runtime reports as it comes. The end of the sequence is that of a run
   * that went well. Aborting closes the connection; it does not stop the runtime.
   *
   * @throws RuntimeFailed, `retryable` only before the first report; the reason of `signal` once it aborts
   */
  readonly invoke: (call: RuntimeCall, signal: AbortSignal) => AsyncIterable<RuntimeReport>;
  /** Ends a session with all that is under way in it. @throws RuntimeFailed */
  readonly stop: (
    session: Pick<RuntimeCall, 'runtimeArn' | 'sessionId'>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** A runtime did not do what it was asked. The message is for the caller of the run: no secret, no address. */
export class RuntimeFailed extends Error {
  override readonly name = 'RuntimeFailed';
  readonly code: string;
  /** Whether the same may be asked again: it was busy or away, and has not begun to answer. */
  readonly retryable: boolean;
  /** Whether it may be at work all the same: nobody has heard that it is done. */
  readonly mayGoOn: boolean;
  constructor(
    code: string,
    message: string,
    options: { readonly retryable?: boolean; readonly mayGoOn?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.mayGoOn = options.mayGoOn ?? false;
    this.retryable = options.retryable ?? false;
  }
}
