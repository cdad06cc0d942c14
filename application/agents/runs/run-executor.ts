import type { AgentMessage, AssistantMessage } from '../../../domain/agent-run/message.ts';
import type { ExecutionMode, Provider } from '../../../domain/agent-run/terms.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { YieldSlot } from '../../jobs/work-handler.ts';
import type { ModelUsage } from '../../ports/language-model.ts';

/** What a run is to do. All of it is known when it starts, and the same wherever it does. */
export interface RunToDo {
  readonly tenant: string;
  readonly threadId: string;
  readonly runId: string;
  /** With the powers that the key had when the run was asked for; its context is that of the worker. */
  readonly caller: Caller;
  readonly onBehalfOf: OnBehalfOf;
  readonly workflowType: string;
  /** Null: the request named none. */
  readonly provider: Provider | null;
  readonly executionMode: ExecutionMode;
  readonly runtimeArn: string | null;
  readonly mcpSessionId: string | null;
  /** As the caller sent it, validated and redacted. The last of its messages is from the user. */
  readonly input: RunInput;
  /** What was said before, reconstructed along the parents within the budget; it stands before `input.messages`. */
  readonly history: readonly AgentMessage[];
  /**
   * Resolves when nobody else can begin the run any more. Whatever is asked outside of this service waits for it, or for
   * an event that was emitted: what is emitted is kept behind the beginning.
   *
   * @throws WorkLost, or what kept the run from being begun
   */
  readonly begun: () => Promise<void>;
  /** To be called between two steps. @throws the StopReason, where the run is to stop meanwhile */
  readonly yieldSlot: YieldSlot;
}

export interface RunInput {
  readonly messages: readonly AgentMessage[];
  /** Further fields, spelt as the caller spelt them: each workflow says which it knows. */
  readonly [field: string]: unknown;
}

/**
 * What happens in a run. Steps count from 1; `callId` is unique within the run. Bodies (`request`, `message`,
 * `arguments`, `result`) are redacted, kept in the vault, and never in an event.
 */
export type RunEvent =
  /** Emitted once, before a runtime is asked; `request`: all that it is sent, as JSON. */
  | {
      readonly kind: 'handed_over';
      readonly runtimeArn: string;
      readonly runtimeSessionId: string;
      readonly request: string;
    }
  | { readonly kind: 'step'; readonly step: number }
  /** `request`: the whole of what the model is asked, so that a replay can show it. */
  | {
      readonly kind: 'model_called';
      readonly step: number;
      readonly model: string;
      readonly messageCount: number;
      readonly request: unknown;
    }
  /** The next piece of the answer of this step. */
  | { readonly kind: 'text'; readonly step: number; readonly delta: string }
  | {
      readonly kind: 'model_answered';
      readonly step: number;
      readonly model: string;
      readonly usage: ModelUsage | null;
      readonly finishReason: string;
      readonly message: AssistantMessage;
    }
  /** Emitted before the tool is called: a run that is lost then is known to have begun it. */
  | {
      readonly kind: 'tool_called';
      readonly step: number;
      readonly callId: string;
      readonly tool: string;
      readonly readOnly: boolean;
      readonly arguments: string;
    }
  /** `result`: what the model is shown of it. */
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
  /** Something worth knowing that is no failure. The code is kept in the event, the message is a body. */
  | { readonly kind: 'note'; readonly code: string; readonly message: string };

/**
 * Keeps what happened, in order: it resolves when the event is durable. Who does not wait for it learns by the next event
 * that one could not be kept: that fails as well. Pieces of text are collected, and kept at the
 * latest before the next event of another kind.
 *
 * @throws WorkLost when the run is no longer ours: nothing more may be done
 */
export type Emit = (event: RunEvent) => Promise<void>;

export interface RunOutcome {
  /** What the run adds to the history of its thread, behind its input: every tool call with its answer. */
  readonly messages: readonly AgentMessage[];
  /** As the API shows it: names in snake_case. */
  readonly result: Readonly<Record<string, unknown>>;
}

/** Executes runs of one execution mode. */
export interface RunExecutor {
  /**
   * Refuses, when a run is asked for, what could not be executed: an unknown workflow, a provider that is not set up, an
   * input that the workflow cannot read. Absent: it takes everything.
   *
   * @throws DomainError invalid_request, not_configured, schema_invalid
   */
  readonly check?: (
    request: Pick<RunToDo, 'workflowType' | 'provider' | 'runtimeArn' | 'mcpSessionId' | 'input'>,
  ) => void;
  /**
   * Called at most once for each run, ever: a run whose worker is lost is not executed again.
   *
   * @param signal aborts with a StopReason; model and tools that are being called must be let go in under 2 s
   * @throws RunFailure for what the caller is to know; the reason of `signal` once it aborts; WorkLost from `emit`
   */
  readonly execute: (run: RunToDo, emit: Emit, signal: AbortSignal) => Promise<RunOutcome>;
}

/** Why a run came to nothing. The code is kept in the event; the message is for the caller: no secret, no address. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
