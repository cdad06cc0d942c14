/** The call that starts a run on an external runtime. */
export interface RuntimeCall {
  readonly runtimeArn: string;
  /** At least 33 characters. Calls with the same id share the runtime's memory. */
  readonly sessionId: string;
  /** JSON. */
  readonly payload: string;
  readonly mcpSessionId: string | null;
}

/** What a runtime reports about a run, in order. */
export type RuntimeReport =
  /** The runtime is alive, and reported nothing that is stored. */
  | { readonly kind: 'alive' }
  /** The agent in the runtime began its next step. */
  | { readonly kind: 'step' }
  /** The next piece of the current message. It begins a message if none is open. */
  | { readonly kind: 'text'; readonly delta: string }
  /** The next piece of what the agent thinks: no part of a message. */
  | { readonly kind: 'reasoning'; readonly delta: string }
  | { readonly kind: 'message_ended' }
  /** `arguments`: the runtime's own JSON, unchanged. */
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
  /** The result of the run besides its messages: any JSON. */
  | { readonly kind: 'output'; readonly output: unknown };

/** Agent runtimes outside this service, such as Amazon Bedrock AgentCore. */
export interface AgentRuntime {
  /**
   * Invokes the runtime once, without retries, and yields its reports as they arrive. The sequence ends when the run
   * succeeds. Aborting closes the connection but does not stop the runtime.
   *
   * @throws RuntimeFailed, `retryable` only before the first report; the reason of `signal` once it aborts
   */
  readonly invoke: (call: RuntimeCall, signal: AbortSignal) => AsyncIterable<RuntimeReport>;
  /** Stops a session and everything that runs in it. @throws RuntimeFailed */
  readonly stop: (
    session: Pick<RuntimeCall, 'runtimeArn' | 'sessionId'>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** The runtime failed. The caller of the run sees the message: it contains no secret and no address. */
export class RuntimeFailed extends Error {
  override readonly name = 'RuntimeFailed';
  readonly code: string;
  /** Whether the call may be repeated: the runtime was busy or unavailable and has not begun to answer. */
  readonly retryable: boolean;
  /** Whether the run may still be running: the runtime did not confirm its end. */
  readonly mayStillRun: boolean;
  constructor(
    code: string,
    message: string,
    options: { readonly retryable?: boolean; readonly mayStillRun?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.mayStillRun = options.mayStillRun ?? false;
    this.retryable = options.retryable ?? false;
  }
}
