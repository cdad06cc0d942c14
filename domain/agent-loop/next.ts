import type { AgentMessage } from '../agent-run/message.ts';
import { alwaysBroken } from './broken-calls.ts';
import { type LoopLimits, overLimit, overToolLimit } from './limits.ts';
import type { LoopState } from './state.ts';
import { type Decision, fail } from './step.ts';

/**
 * Decides the next action of a run, within its limits: the pending tool calls of the model, or the workflow's
 * decision.
 *
 * @param elapsedMs since the start of the run
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

/** The pending calls of an answer that was cut off are not made: the last of them may be incomplete. */
const pending = ({ answers, pending: calls }: LoopState): Decision => {
  const reason = answers.at(-1)!.finishReason;
  if (reason === 'stop') return alwaysBroken(answers) ?? { kind: 'call_tools', calls, shown: 'together' };
  return reason === 'length' ? cut : withheld;
};

const cut = fail('answer_cut', 'the model reached its token limit while it requested tool calls');
export const withheld = fail('content_filter', 'the provider of the language model withheld the answer');

/** The fixed input of a run's decisions. */
export interface Assignment {
  readonly history: readonly AgentMessage[];
  readonly input: { readonly messages: readonly AgentMessage[]; readonly [field: string]: unknown };
  readonly model: {
    readonly toolUse: boolean;
    readonly structuredOutput: boolean;
    /** Tokens. */
    readonly contextWindow: number;
  };
  /** Checks a value against the JSON Schema in `input.schema`; empty when valid. Only used when there is a schema. */
  readonly problemsOf: (value: unknown) => readonly string[];
}

/** A workflow. To add one, add a file in `workflows` and a line in `workflows.ts`. */
export interface Workflow {
  /** The `workflow_type` of requests. */
  readonly type: string;
  /** The capability that the model needs; null when every model will do. */
  readonly needs: 'toolUse' | 'structuredOutput' | null;
  /** The fields of `input` that the workflow reads in addition to `messages`. */
  readonly fields: readonly string[];
  /** Checks the input before a run is created; empty when valid. */
  readonly problemsOf: (input: Assignment['input']) => readonly string[];
  /**
   * Decides the next action. Pure: equal assignments and states give equal decisions. It is called only when no tool
   * call is pending; limits are checked elsewhere.
   */
  readonly next: (assignment: Assignment, state: LoopState) => Decision;
}

/** The latest message of the user. */
export const questionOf = ({ input }: Pick<Assignment, 'input'>): string =>
  input.messages.findLast(({ role }) => role === 'user')?.content ?? '';
