import type { Execute, RetryingExecute, Run } from '../../application/event-sourcing/execute.ts';

/** As jobs are given it, over a store that is never away, or that waits by itself. */
export const retryingExecute = (
  run: Run,
  { load, history }: Pick<Execute, 'load' | 'history'>,
): RetryingExecute =>
  Object.assign(((...call) => run(...call)) as Run, { load, history, retrying: true as const });
