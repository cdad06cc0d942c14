import { fail, type Decision } from './step.ts';
import type { LoopState } from './state.ts';

/** The limits of one run. When it reaches one, the run fails and names the limit. */
export interface LoopLimits {
  /** Maximum answers of the model. */
  readonly steps: number;
  /** Maximum tool calls. */
  readonly toolCalls: number;
  readonly ms: number;
  /** Maximum tokens of all requests and answers together. */
  readonly tokens: number;
  /** In millionths of the currency of the prices; null for no limit. */
  readonly cost: number | null;
}

/** The limit that prevents another call of the model; null when there is none. */
export const overLimit = (limits: LoopLimits, state: LoopState, elapsedMs: number): Decision | null => {
  if (elapsedMs >= limits.ms) return timeLimit(limits);
  if (state.answers.length >= limits.steps)
    return fail(
      'step_limit',
      `the run has called the model ${limits.steps} times, which is the limit: ask for less at once`,
    );
  if (state.tokens >= limits.tokens)
    return fail(
      'token_limit',
      `the run has used ${state.tokens} tokens, and may use ${limits.tokens}: ask for less at once`,
    );
  if (limits.cost !== null && state.cost >= limits.cost)
    return fail('cost_limit', `the run has cost ${money(state.cost)}, and may cost ${money(limits.cost)}`);
  return null;
};

/** The limit that prevents these tool calls; null when there is none. */
export const overToolLimit = (
  limits: LoopLimits,
  state: LoopState,
  calls: number,
  elapsedMs: number,
): Decision | null => {
  if (elapsedMs >= limits.ms) return timeLimit(limits);
  if (state.toolCalls + calls <= limits.toolCalls) return null;
  return fail(
    'tool_call_limit',
    `the run has called ${state.toolCalls} tools and asks for ${calls} more, and may call ${limits.toolCalls}`,
  );
};

export const timeLimit = ({ ms }: LoopLimits): Decision =>
  fail('time_limit', `the run took longer than ${Math.round(ms / 1000)} s`);

const money = (millionths: number): string => (millionths / 1_000_000).toFixed(4);
