import type { AgentMessage, AssistantMessage, ToolCall } from '../agent-run/message.ts';
import type { Passage } from './passages.ts';

/**
 * An event of a run, as the loop needs it. Facts are derived from the stored events of the run, so that a replay makes
 * the same decisions.
 */
export type Fact =
  | {
      readonly kind: 'answered';
      readonly message: AssistantMessage;
      readonly finishReason: 'stop' | 'length' | 'content_filter';
      /** Tokens of the request and the answer, as the provider counts them, or estimated. */
      readonly tokens: number;
      /** In millionths of the currency that prices are configured in; 0 without prices. */
      readonly cost: number;
    }
  | {
      readonly kind: 'returned';
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly content: string;
    };

/** A message of a request. `data` is retrieved text, which the model reads as a quotation. */
export type LoopMessage = AgentMessage | { readonly role: 'data'; readonly content: string };

export interface AskModel {
  readonly kind: 'call_model';
  readonly messages: readonly LoopMessage[];
  /** Whether the tools of the run are offered to the model. */
  readonly offersTools: boolean;
  /** The passages in `data`, for models that work on passages. */
  readonly passages?: readonly Passage[];
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** The numbers that the answer may cite: marks of others are left out. Absent: the answer stays as it is. */
  readonly citable?: readonly number[];
}

export interface FinishedRow {
  /** A row in the caller's own field names. */
  readonly data: unknown;
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  readonly contentIds: readonly string[];
}

export interface Finished {
  readonly kind: 'finish';
  /** The answer that is shown. */
  readonly message: string;
  readonly finishReason: string;
  readonly citations: readonly Passage[];
  /** The messages that the run adds to its thread after its input: every tool call with its result. */
  readonly messages: readonly AgentMessage[];
  /** Parts of the request that were not found; undefined when the workflow does not report them. */
  readonly gaps?: readonly string[];
  /** The extracted data, if the workflow produces any. */
  readonly rows?: readonly FinishedRow[];
}

/** The next action of a run. */
export type Decision =
  | AskModel
  /** All pending calls, in any order. */
  | {
      readonly kind: 'call_tools';
      readonly calls: readonly ToolCall[];
      /** `apart`: the model never sees all results in one request. */
      readonly shown: 'together' | 'apart';
    }
  | Finished
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

export const fail = (code: string, message: string): Decision => ({ kind: 'fail', code, message });
