import type { AgentMessage, AssistantMessage, ToolCall } from '../agent-run/message.ts';
import type { Passage } from './passages.ts';

/**
 * What has happened in a run, as the loop needs it. It is read from what is kept of the run, so that whoever replays that
 * sees the same decisions.
 */
export type Fact =
  | {
      readonly kind: 'answered';
      readonly message: AssistantMessage;
      readonly finishReason: 'stop' | 'length' | 'content_filter';
      /** Of request and answer together, as the provider counts, or as they were estimated. */
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

/** A message of a request; `data` is what was found, which the model reads as a quotation. */
export type LoopMessage = AgentMessage | { readonly role: 'data'; readonly content: string };

export interface AskModel {
  readonly kind: 'call_model';
  readonly messages: readonly LoopMessage[];
  /** Whether the tools of the run are offered. */
  readonly offersTools: boolean;
  /** The passages that `data` holds, for models that work on these. */
  readonly passages?: readonly Passage[];
  readonly responseSchema?: Readonly<Record<string, unknown>>;
}

export interface FinishedRow {
  /** With names of its own. */
  readonly data: unknown;
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  readonly contentIds: readonly string[];
}

export interface Finished {
  readonly kind: 'finish';
  /** What is shown as the answer. */
  readonly message: string;
  readonly finishReason: string;
  readonly citations: readonly Passage[];
  /** What the run adds to the history of its thread, behind its input: every tool call with its answer. */
  readonly messages: readonly AgentMessage[];
  /** What was asked and not found; undefined where the workflow does not say. */
  readonly gaps?: readonly string[];
  /** Data, where the workflow makes some. */
  readonly rows?: readonly FinishedRow[];
}

/** What a run does next. */
export type Decision =
  | AskModel
  /** All of these, in any order: they are the calls that are pending. */
  | {
      readonly kind: 'call_tools';
      readonly calls: readonly ToolCall[];
      /** `apart`: the model is never shown all that they find at once. */
      readonly shown: 'together' | 'apart';
    }
  | Finished
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

export const fail = (code: string, message: string): Decision => ({ kind: 'fail', code, message });
