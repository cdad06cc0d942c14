import type { AgentMessage } from '../agent-run/message.ts';
import type { LoopState } from './state.ts';
import type { Decision } from './step.ts';

/** What a run is given to decide by. It does not change while it lasts. */
export interface Assignment {
  readonly history: readonly AgentMessage[];
  readonly input: { readonly messages: readonly AgentMessage[]; readonly [field: string]: unknown };
  readonly model: {
    readonly toolUse: boolean;
    readonly structuredOutput: boolean;
    /** Tokens. */
    readonly contextWindow: number;
  };
  /** What is wrong with a value by the JSON Schema of `input.schema`; none: it fits. Only where there is one. */
  readonly problemsOf: (value: unknown) => readonly string[];
}

/** A way of working. Adding one: a file in `workflows`, and a line in `workflows.ts`. */
export interface Workflow {
  /** The `workflow_type` of requests. */
  readonly type: string;
  /** What the model must be able to do; `null`: anything that answers will do. */
  readonly needs: 'toolUse' | 'structuredOutput' | null;
  /** The fields of `input` that it reads beside `messages`. */
  readonly fields: readonly string[];
  /** What is wrong with an input, before any run of it; none: it can be worked on. */
  readonly problemsOf: (input: Assignment['input']) => readonly string[];
  /**
   * What is to be done next. Pure: the same for the same assignment and state. Calls that an answer asked for are made
   * before it is asked; limits are none of its business.
   */
  readonly next: (assignment: Assignment, state: LoopState) => Decision;
}

/** The last thing that the user said. */
export const questionOf = ({ input }: Pick<Assignment, 'input'>): string =>
  input.messages.findLast(({ role }) => role === 'user')?.content ?? '';
