import type { AgentMessage } from '../agent-run/message.ts';
import { type LoopLimits, overLimit, overToolLimit } from './limits.ts';
import type { LoopState } from './state.ts';
import { type Decision, fail } from './step.ts';

/**
 * What a run does next: the calls that the model asked for, or what its workflow says, within the limits.
 *
 * @param elapsedMs since the run began
 */
export const next = (
  workflow: Workflow,
  limits: LoopLimits,
  assignment: Assignment,
  state: LoopState,
  elapsedMs: number,
): Decision => {
  const decision = state.pending.length > 0 ? pending(state) : workflow.next(assignment, state);
  switch (decision.kind) {
    case 'call_model':
      return overLimit(limits, state, elapsedMs) ?? decision;
    case 'call_tools':
      return overToolLimit(limits, state, decision.calls.length, elapsedMs) ?? decision;
    case 'finish':
    case 'fail':
      return decision;
  }
};

/** Calls of an answer that was cut are not made: the last of them may be half of what was meant. */
const pending = ({ answers, pending: calls }: LoopState): Decision => {
  const reason = answers.at(-1)!.finishReason;
  if (reason === 'stop') return { kind: 'call_tools', calls, shown: 'together' };
  return reason === 'length' ? cut : withheld;
};

const cut = fail('answer_cut', 'the model reached its limit of tokens while it asked for tools');
export const withheld = fail('content_filter', 'the provider of the language model withheld the answer');

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
