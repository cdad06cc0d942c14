import type { RunToDo } from '../runs/run-executor.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a tool has to say. */
export interface ToolOutput {
  /** For the model; what is too long is cut, at a line end where there is one. */
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
  /** Whether it changes nothing: such calls run at the same time. */
  readonly readOnly: boolean;
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** What is wrong with the arguments, in words for the model; none: they fit. */
  readonly problemsOf: (given: JsonObject) => readonly string[];
  /**
   * @param given arguments that fit
   * @throws DomainError for what the model can mend: its message becomes the answer; the reason of `signal` once it
   *   aborts; anything else is told to the model as a failure without details
   */
  readonly call: (given: JsonObject, signal: AbortSignal) => Promise<ToolOutput>;
}

/** Why a tool of a run is not there, for whoever follows the run. */
export interface ToolNote {
  readonly code: string;
  readonly message: string;
}

/** The tools of one run: there is no way to any other. */
export interface OpenedTools {
  readonly tools: readonly AgentTool[];
  readonly notes: readonly ToolNote[];
  /** Lets go of what was opened for the run. Never throws. */
  readonly close: () => Promise<void>;
}

/** Where tools come from. */
export interface ToolSource {
  /**
   * Gathers the tools of a run. A server that does not answer is a note, and no failure.
   *
   * @throws the reason of `signal` once it aborts
   */
  readonly open: (run: RunToDo, numbering: Numbering, signal: AbortSignal) => Promise<OpenedTools>;
}

/** Numbers of passages within one run. */
export interface Numbering {
  /** The same for the same content. */
  readonly numberOf: (contentId: string) => number;
}

/** @param after the highest number that is used already */
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
