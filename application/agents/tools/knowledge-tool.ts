import type { Scope } from '../../../domain/api-key/decider.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { JsonSchema } from './argument-schema.ts';
import type { Links } from './links.ts';

/** Who calls a tool: the powers of the key, and on whose behalf. What calls itself an agent has no more than these. */
export interface ToolCaller {
  readonly caller: Caller;
  readonly onBehalfOf: OnBehalfOf;
}

export interface ToolContext {
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Told of what is done so far, in words; only tools that take long tell any. */
  readonly onProgress?: (message: string) => void;
  /** How addresses are told; as they are stored where it is not given. */
  readonly links?: Links;
}

export interface ToolResult {
  /** What `result` of the tool describes, with the names of the API (snake case). */
  readonly structured: { readonly [name: string]: unknown };
  /**
   * The same for a model to read. Words of documents stand in it between marks that they cannot know, so that they stay
   * quotations.
   */
  readonly text: string;
  /** What it shows of documents: number n in the text is at place n - 1. Every id resolves by `get_content`. */
  readonly contents: readonly ContentRecord[];
}

/** One thing that an agent may do with the knowledge base. */
export interface KnowledgeTool {
  readonly name: KnowledgeToolName;
  /** A short name for people. */
  readonly title: string;
  /** For models: what it does, and when to use it. */
  readonly description: string;
  /** What a key needs to call it: the scope of the operation behind it. */
  readonly scope: Scope;
  /** False: it records something, as `ask` records its conversation. Nothing is ever changed or deleted. */
  readonly readOnly: boolean;
  /** JSON Schema 2020-12 of the arguments, with the names of the API; what it does not name is refused. */
  readonly parameters: JsonSchema;
  /** JSON Schema 2020-12 of `structured`. */
  readonly result: JsonSchema;
  /**
   * @param given the arguments as they came: nobody need have checked them
   * @throws DomainError invalid_request for arguments that do not fit, and whatever the operation behind it throws:
   * messages say what to do; ProviderError and ProviderTimeout from `ask`
   */
  readonly call: (by: ToolCaller, given: unknown, context: ToolContext) => Promise<ToolResult>;
}

export type KnowledgeToolName = 'search' | 'ask' | 'get_content' | 'list_sources' | 'status';
