import type { LoopState } from '../../../domain/agent-loop/state.ts';
import type { Finished } from '../../../domain/agent-loop/step.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';

/**
 * The result of a run as the API shows it: names in snake_case.
 *
 * @param steps as the events of the run have told them
 */
export const resultOf = (
  { message, finishReason, citations, gaps, rows }: Finished,
  { tokens, cost, toolCalls }: LoopState,
  { model, steps }: { readonly model: string; readonly steps: number },
): Readonly<Record<string, unknown>> => {
  const cited = citations.map(({ number, contentId, sourceId, title, url }) => ({
    number,
    contentId,
    sourceId,
    title,
    url,
  }));
  const told = {
    message: { role: 'assistant', content: message },
    finishReason,
    citations: cited,
    ...(gaps !== undefined && { gaps }),
    model,
    steps,
    toolCalls,
    usage: { tokens, cost: cost / 1_000_000 },
  };
  const output = rows?.map(({ data, ...source }) => ({ data, ...(snakeKeys(source) as object) }));
  return { ...(snakeKeys(told) as object), ...(output !== undefined && { output: { rows: output } }) };
};
