import {
  type RunEvent,
  type RunExecutor,
  RunFailure,
  type RunOutcome,
  type RunToDo,
} from '../../../application/agents/runs/run-executor.ts';

/** What a scripted run does, one after the other. */
export type Act =
  | RunEvent
  | { readonly kind: 'fails'; readonly code: string; readonly message: string }
  /** Goes on when `until` resolves, or never again once the run is told to stop. */
  | { readonly kind: 'waits'; readonly until: Promise<void> };

/** Executes runs by a script, and remembers what it was given. */
export const scriptedExecutor = (
  script: (run: RunToDo) => readonly Act[],
): RunExecutor & { readonly executed: readonly RunToDo[] } => {
  const executed: RunToDo[] = [];
  return {
    executed,
    execute: async (run, emit, signal): Promise<RunOutcome> => {
      await run.begun();
      executed.push(run);
      let answer = '';
      for (const act of script(run)) {
        signal.throwIfAborted();
        if (act.kind === 'fails') throw new RunFailure(act.code, act.message);
        if (act.kind === 'waits') await orAborted(act.until, signal);
        else await emit(act);
        if (act.kind === 'text') answer += act.delta;
      }
      return {
        messages: [{ role: 'assistant', content: answer }],
        result: { message: { role: 'assistant', content: answer }, finish_reason: 'stop' },
      };
    },
  };
};

const orAborted = (until: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    until.then(resolve, reject);
  });
