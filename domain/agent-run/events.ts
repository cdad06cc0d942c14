import type { Scope } from '../api-key/decider.ts';
import type { ExecutionMode, InputHistoryMode, Provider } from './terms.ts';

/**
 * Events of one agent run. They contain no texts: what was said, retrieved or passed to tools is stored in the vault
 * under the key of the thread, and can be destroyed.
 */

/** A reference to a body in the vault. */
export interface BodyRef {
  readonly bodyId: string;
  /**
   * SHA-256 of the run's salt, which is also in the vault, and the text. Without the salt the text cannot be guessed.
   */
  readonly digest: string;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

/** Facts that are known at admission and never change. */
export interface RunFacts {
  readonly threadId: string;
  /** The end user on whose behalf it runs; null for none. */
  readonly principalId: string | null;
  /** The run that this one continues; null when it starts the thread or is a sibling of the first run. */
  readonly parentRunId: string | null;
  /** The run that must end before this one starts; null for none. */
  readonly afterRunId: string | null;
  readonly workflowType: string;
  /** Null when the request named none. */
  readonly provider: Provider | null;
  readonly executionMode: ExecutionMode;
  readonly runtimeArn: string | null;
  readonly inputHistoryMode: InputHistoryMode;
  /** The key that created the run, with the rights that it had then. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly sourceGroupIds: readonly string[] | null;
  /** The source groups that its texts may come from, including those of earlier runs in the thread; null for all. */
  readonly reach: readonly string[] | null;
  readonly authzPolicy: string | null;
  /** Whether a title is stored in the vault. */
  readonly titled: boolean;
  /** Unix milliseconds. */
  readonly at: number;
}

export type RunQueued = RunFacts & { readonly type: 'RunQueued' };
/** A worker has started the run. The event fixes the context of the run for every process and every replay. */
export interface RunStarted {
  readonly type: 'RunStarted';
  readonly workerId: string;
  /** The oldest run in its context; null when none was needed. */
  readonly contextStartRunId: string | null;
  /** Whether older turns were left out. */
  readonly contextTruncated: boolean;
  readonly contextMessages: number;
  /** Computed like the digest of a body. */
  readonly contextDigest: string;
  readonly at: number;
}

/**
 * The run is sent to a runtime that another party operates. Recorded before the call: from here on the run may have
 * acted, even if the worker is lost.
 */
export interface RunHandedOver {
  readonly type: 'RunHandedOver';
  readonly runtimeArn: string;
  /** Identifies the runs of a thread at the operator of the runtime: the same for all runs of a thread. */
  readonly runtimeSessionId: string;
  /** The complete request to the runtime. */
  readonly request: BodyRef;
  readonly at: number;
}

export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
/** An event within a run, without its body. Steps count from 1. */
export type Emission =
  | { readonly kind: 'step'; readonly step: number }
  | {
      readonly kind: 'model_called';
      readonly step: number;
      readonly model: string;
      readonly messageCount: number;
    }
  | { readonly kind: 'text'; readonly step: number }
  /** What the model thinks: no part of its answer, and of no later request. */
  | { readonly kind: 'reasoning'; readonly step: number }
  | {
      readonly kind: 'model_answered';
      readonly step: number;
      readonly model: string;
      readonly usage: RunUsage | null;
      readonly finishReason: string;
    }
  | ({ readonly kind: 'tool_called'; readonly step: number } & OpenToolCall)
  | {
      readonly kind: 'tool_answered';
      readonly step: number;
      readonly callId: string;
      readonly isError: boolean;
      readonly truncated: boolean;
    }
  | { readonly kind: 'citations'; readonly contentIds: readonly string[] }
  | { readonly kind: 'note'; readonly code: string };

/** A tool call. Until it has a result, its effect is unknown. */
export interface OpenToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly readOnly: boolean;
}

export interface RunEmitted {
  readonly type: 'RunEmitted';
  readonly emission: Emission;
  /** Null when there is none. */
  readonly body: BodyRef | null;
  readonly at: number;
}
export interface RunSucceeded {
  readonly type: 'RunSucceeded';
  readonly result: BodyRef;
  /** The messages that the run adds to its thread. */
  readonly messages: BodyRef;
  readonly at: number;
}
/** The end of a run without a result. */
interface UnsuccessfulEnd {
  /** The message for the caller; null when the code says everything. */
  readonly message: BodyRef | null;
  /** Tool calls without a result: they may have acted. */
  readonly openToolCalls: readonly OpenToolCall[];
  readonly at: number;
}
export interface RunFailed extends UnsuccessfulEnd {
  readonly type: 'RunFailed';
  readonly code: string;
}
export interface RunCancelRequested {
  readonly type: 'RunCancelRequested';
  readonly at: number;
}
export interface RunCancelled extends UnsuccessfulEnd {
  readonly type: 'RunCancelled';
  /** Cause of the end: the caller, while it was queued; its worker; a time limit; the loss of its worker. */
  readonly by: 'caller' | 'worker' | 'timeout' | 'lost';
  /** The failure that happened before the cancellation was noticed; null when there was none. */
  readonly code: string | null;
}
export type AgentRunEvent =
  | RunQueued
  | RunStarted
  | RunHandedOver
  | RunEmitted
  | RunSucceeded
  | RunFailed
  | RunCancelRequested
  | RunCancelled;
