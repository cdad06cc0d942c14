import type { RunToDo } from '../runs/run-executor.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The result of a tool call. */
export interface ToolOutput {
  /** For the model. A text that is too long is cut, at the end of a line if possible. */
  readonly text: string;
  readonly isError: boolean;
}

/** A tool that a run may call. */
export interface AgentTool {
  /** 1 to 64 letters, digits, `_` and `-`; unique within a run. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly parameters: JsonObject;
  /** Whether the tool changes nothing. Read-only calls run concurrently. */
  readonly readOnly: boolean;
  /** Timeout of one call in milliseconds. */
  readonly timeoutMs: number;
  /** Describes, for the model, what is wrong with the arguments; empty when they are valid. */
  readonly problemsOf: (given: JsonObject) => readonly string[];
  /**
   * @param given valid arguments
   * @throws DomainError for errors that the model can correct: it receives the message; the reason of `signal` when it
   *   aborts; the model is told of any other error as a failure without details
   */
  readonly call: (given: JsonObject, signal: AbortSignal) => Promise<ToolOutput>;
}

/** Why a tool is not available to a run; for the clients that follow the run. */
export interface ToolNote {
  readonly code: string;
  readonly message: string;
}

/** The tools of one run. It can call no others. */
export interface OpenedTools {
  readonly tools: readonly AgentTool[];
  readonly notes: readonly ToolNote[];
  /** Releases the resources that were opened for the run. Never throws. */
  readonly close: () => Promise<void>;
}

/** A provider of tools, for example the knowledge base or an MCP server. */
export interface ToolSource {
  /**
   * Collects the tools of a run. A server that does not respond causes a note, not a failure.
   *
   * @throws the reason of `signal` when it aborts
   */
  readonly open: (run: RunToDo, numbering: Numbering, signal: AbortSignal) => Promise<OpenedTools>;
}

/** Numbers of passages within one run. */
export interface Numbering {
  /** Returns the same number for the same content. */
  readonly numberOf: (contentId: string) => number;
}

/** @param after the highest number that is already in use */
export const createNumbering = (after: number): Numbering => {
  const numbers = new Map<string, number>();
  return {
    numberOf: (contentId) => {
      const known = numbers.get(contentId) ?? after + numbers.size + 1;
      numbers.set(contentId, known);
      return known;
    },
  };
};
