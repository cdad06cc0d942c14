import type { AgentMessage, AssistantMessage } from '../../../domain/agent-run/message.ts';
import type { ExecutionMode, Provider } from '../../../domain/agent-run/terms.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { YieldSlot } from '../../jobs/work-handler.ts';
import type { ModelUsage } from '../../ports/language-model.ts';

/** The complete input of a run. It is known at the start, and the same in whichever process the run starts. */
export interface RunToDo {
  readonly tenant: string;
  readonly threadId: string;
  readonly runId: string;
  /** Has the rights that the key had when the run was created; its context is that of the worker. */
  readonly caller: Caller;
  readonly onBehalfOf: OnBehalfOf;
  readonly workflowType: string;
  /** Null when the request named none. */
  readonly provider: Provider | null;
  readonly executionMode: ExecutionMode;
  readonly runtimeArn: string | null;
  readonly mcpSessionId: string | null;
  /** As the caller sent it, validated and redacted. The last message is from the user. */
  readonly input: RunInput;
  /** Messages of the ancestor runs that fit in the budget; they precede `input.messages`. */
  readonly history: readonly AgentMessage[];
  /**
   * Resolves when no other worker can start the run any more. Await it, or an emitted event, before any call outside
   * of this service: emitted events are stored after the start.
   *
   * @throws WorkLost, or the error that prevented the start of the run
   */
  readonly begun: () => Promise<void>;
  /** Call it between two steps. @throws the StopReason when the run must stop meanwhile */
  readonly yieldSlot: YieldSlot;
}

export interface RunInput {
  readonly messages: readonly AgentMessage[];
  /** Further fields, as the caller spelt them; each workflow defines which fields it accepts. */
  readonly [field: string]: unknown;
}

/**
 * The events of a run. Steps count from 1; `callId` is unique within the run. Bodies (`request`, `message`,
 * `arguments`, `result`) are redacted and stored in the vault, never in an event.
 */
export type RunEvent =
  /** Emitted once, before a runtime is called; `request` is the complete request as JSON. */
  | {
      readonly kind: 'handed_over';
      readonly runtimeArn: string;
      readonly runtimeSessionId: string;
      readonly request: string;
    }
  | { readonly kind: 'step'; readonly step: number }
  /** `request` is the complete request to the model, so that a replay can show it. */
  | {
      readonly kind: 'model_called';
      readonly step: number;
      readonly model: string;
      readonly messageCount: number;
      readonly request: unknown;
    }
  /** The next piece of the answer in this step. */
  | { readonly kind: 'text'; readonly step: number; readonly delta: string }
  /** The next piece of what the model thinks in this step: no part of the answer. */
  | { readonly kind: 'reasoning'; readonly step: number; readonly delta: string }
  | {
      readonly kind: 'model_answered';
      readonly step: number;
      readonly model: string;
      readonly usage: ModelUsage | null;
      readonly finishReason: string;
      readonly message: AssistantMessage;
    }
  /** Emitted before the tool is called, so that a lost run shows that the call was started. */
  | {
      readonly kind: 'tool_called';
      readonly step: number;
      readonly callId: string;
      readonly tool: string;
      readonly readOnly: boolean;
      readonly arguments: string;
    }
  /** `result` is the part of the result that the model sees. */
  | {
      readonly kind: 'tool_answered';
      readonly step: number;
      readonly callId: string;
      readonly isError: boolean;
      readonly truncated: boolean;
      readonly result: string;
      readonly structured?: unknown;
    }
  | { readonly kind: 'citations'; readonly contentIds: readonly string[] }
  /** Information that is not a failure. The code is stored in the event, the message as a body. */
  | { readonly kind: 'note'; readonly code: string; readonly message: string };

/**
 * Records events in order; resolves when the event is durable. After a failed write all later events fail as well, so
 * a caller that does not await learns of it from the next event. Pieces of text and reasoning are collected, and stored before the
 * next event of another kind at the latest.
 *
 * @throws WorkLost when this worker no longer owns the run: it must stop
 */
export type Emit = (event: RunEvent) => Promise<void>;

export interface RunOutcome {
  /** The messages that the run adds to its thread after its input: every tool call with its result. */
  readonly messages: readonly AgentMessage[];
  /** In the API's form, with names in snake_case. */
  readonly result: Readonly<Record<string, unknown>>;
}

/** Executes runs of one execution mode. */
export interface RunExecutor {
  /**
   * Checks, when a run is created, whether it can be executed: rejects an unknown workflow, a provider that is not
   * configured, and an input that the workflow cannot read. Absent if the executor accepts every request.
   *
   * @throws DomainError invalid_request, not_configured, schema_invalid
   */
  readonly check?: (
    request: Pick<RunToDo, 'workflowType' | 'provider' | 'runtimeArn' | 'mcpSessionId' | 'input'>,
  ) => void;
  /** How many tokens of history fit before the input. Absent: a share of the default model's context window. */
  readonly historyTokens?: (request: Pick<RunToDo, 'provider' | 'input'>) => number;
  /**
   * Called at most once per run: a run whose worker is lost is not executed again.
   *
   * @param signal aborts with a StopReason; calls to the model and to tools must then end within 2 s
   * @throws RunFailure for errors that the caller should see; the reason of `signal` when it aborts; WorkLost from
   *   `emit`
   */
  readonly execute: (run: RunToDo, emit: Emit, signal: AbortSignal) => Promise<RunOutcome>;
}

/**
 * Why a run failed. The code is stored in the event; the message is for the caller and contains no secret or address.
 */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
