import type { Scope } from '../api-key/decider.ts';
import type { ExecutionMode, InputHistoryMode, Provider } from './terms.ts';

/**
 * Facts about one run of an agent. Nothing that was said, found or given to a tool is here: such bodies lie in the vault
 * under the key of the thread, and can be destroyed.
 */

/** Names a body in the vault. */
export interface BodyRef {
  readonly bodyId: string;
  /** SHA-256 of the salt of the run, which lies in the vault as well, and the text: without the salt nothing can be guessed. */
  readonly digest: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

/** What is known of a run when it is admitted, and never changes. */
export interface RunFacts {
  readonly threadId: string;
  /** The end user on whose behalf it runs; null: none. */
  readonly principalId: string | null;
  /** The run that it branched from; null: it begins the thread, or stands beside that which did. */
  readonly parentRunId: string | null;
  /** The run that must be over before it starts; null: none. */
  readonly afterRunId: string | null;
  readonly workflowType: string;
  /** Null: the request named none. */
  readonly provider: Provider | null;
  readonly executionMode: ExecutionMode;
  readonly runtimeArn: string | null;
  readonly inputHistoryMode: InputHistoryMode;
  /** The key that asked for it, with the powers that it had then. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly sourceGroupIds: readonly string[] | null;
  /** The source groups of which it may tell, those of the runs before it in the thread included; null: every one. */
  readonly reach: readonly string[] | null;
  readonly authzPolicy: string | null;
  /** Whether a title lies in the vault. */
  readonly titled: boolean;
  /** Unix milliseconds. */
  readonly at: number;
}

export type RunQueued = RunFacts & { readonly type: 'RunQueued' };
/** A worker has taken it. What it is to know of the thread is settled here, for every process and every replay. */
export interface RunStarted {
  readonly type: 'RunStarted';
  readonly workerId: string;
  /** The oldest run in its context; null: none was needed. */
  readonly contextStartRunId: string | null;
  /** Older turns were left out. */
  readonly contextTruncated: boolean;
  readonly contextMessages: number;
  /** As that of a body. */
  readonly contextDigest: string;
  readonly at: number;
}

/**
 * The run is put to a runtime that somebody else operates. Recorded before it is asked: from here on it may have acted,
 * whatever becomes of the worker.
 */
export interface RunHandedOver {
  readonly type: 'RunHandedOver';
  readonly runtimeArn: string;
  /** By which whoever operates the runtime finds what it did: the same for all runs of a thread. */
  readonly runtimeSessionId: string;
  /** All that it is sent. */
  readonly request: BodyRef;
  readonly at: number;
}

export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
/** What happened in a run, without any body. Steps count from 1. */
export type Emission =
  | { readonly kind: 'step'; readonly step: number }
  | {
      readonly kind: 'model_called';
      readonly step: number;
      readonly model: string;
      readonly messageCount: number;
    }
  | { readonly kind: 'text'; readonly step: number }
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

/** A tool that was called. As long as it has no answer, nobody knows what it did. */
export interface OpenToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly readOnly: boolean;
}

export interface RunEmitted {
  readonly type: 'RunEmitted';
  readonly emission: Emission;
  /** Null: it has none. */
  readonly body: BodyRef | null;
  readonly at: number;
}
export interface RunSucceeded {
  readonly type: 'RunSucceeded';
  readonly result: BodyRef;
  /** What it adds to the history of the thread. */
  readonly messages: BodyRef;
  readonly at: number;
}
/** A run that did not come to its result. */
interface CameToNothing {
  /** The message for the caller; null: what the code says. */
  readonly message: BodyRef | null;
  /** Tools that were called and did not answer: they may have acted. */
  readonly openToolCalls: readonly OpenToolCall[];
  readonly at: number;
}
export interface RunFailed extends CameToNothing {
  readonly type: 'RunFailed';
  readonly code: string;
}
export interface RunCancelRequested {
  readonly type: 'RunCancelRequested';
  readonly at: number;
}
export interface RunCancelled extends CameToNothing {
  readonly type: 'RunCancelled';
  /** Who ended it: whoever asked, while it waited; its worker; a limit that has passed; the loss of its worker. */
  readonly by: 'caller' | 'worker' | 'timeout' | 'lost';
  /** What failed before the word to stop was heard; null: nothing. */
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
