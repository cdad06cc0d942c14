import { type LoopLimits, overLimit, overToolLimit } from './limits.ts';
import type { LoopState } from './state.ts';
import { type Decision, fail } from './step.ts';
import type { Assignment, Workflow } from './workflow.ts';

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
  const decision = state.owed.length > 0 ? owed(state) : workflow.next(assignment, state);
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
const owed = ({ answers, owed: calls }: LoopState): Decision => {
  const reason = answers.at(-1)!.finishReason;
  if (reason === 'stop') return { kind: 'call_tools', calls, shown: 'together' };
  return reason === 'length' ? cut : withheld;
};

const cut = fail('answer_cut', 'the model reached its limit of tokens while it asked for tools');
export const withheld = fail('content_filter', 'the provider of the language model withheld the answer');
