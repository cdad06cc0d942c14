import type { Scope } from '../../../domain/api-key/decider.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { JsonSchema } from './argument-schema.ts';
import type { Links } from './links.ts';

/** The caller of a tool: the rights of the key, and the principal. An agent has no further rights. */
export interface ToolCaller {
  readonly caller: Caller;
  readonly onBehalfOf: OnBehalfOf;
}

export interface ToolContext {
  /** Aborts when the client no longer waits for the result. */
  readonly signal: AbortSignal;
  /** Receives progress messages; only slow tools send any. */
  readonly onProgress?: (message: string) => void;
  /** Converts URLs in results. Without it, URLs are returned as they are stored. */
  readonly links?: Links;
}

export interface ToolResult {
  /** The data that `result` of the tool describes, with the names of the API (snake case). */
  readonly structured: { readonly [name: string]: unknown };
  /**
   * The same data for a model to read. Texts of documents are enclosed in marks that they cannot forge, so that they
   * remain quotations.
   */
  readonly text: string;
  /** The contents that the text shows: number n is at index n - 1. `get_content` reads each of them by its id. */
  readonly contents: readonly ContentRecord[];
}

/** An operation on the knowledge base that an agent may call. */
export interface KnowledgeTool {
  readonly name: KnowledgeToolName;
  /** A short name for people. */
  readonly title: string;
  /** For models: what the tool does and when to use it. */
  readonly description: string;
  /** The scope that a key needs: that of the underlying operation. */
  readonly scope: Scope;
  /**
   * False if the tool records something, as `ask` records its conversation. No tool changes or deletes existing data.
   */
  readonly readOnly: boolean;
  /** JSON Schema 2020-12 of the arguments, with the names of the API; other arguments are rejected. */
  readonly parameters: JsonSchema;
  /** JSON Schema 2020-12 of `structured`. */
  readonly result: JsonSchema;
  /**
   * @param given the arguments as received, not validated
   * @throws DomainError invalid_request for invalid arguments, and errors of the underlying operation, whose messages
   *   say what to do; ProviderError and ProviderTimeout from `ask`
   */
  readonly call: (by: ToolCaller, given: unknown, context: ToolContext) => Promise<ToolResult>;
}

export type KnowledgeToolName = 'search' | 'ask' | 'get_content' | 'list_sources' | 'status';
