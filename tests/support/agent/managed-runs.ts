import type { RunEvent, RunToDo } from '../../../application/agents/runs/run-executor.ts';
import {
  createManagedExecutor,
  type ManagedDeps,
} from '../../../application/agents/runtime/execute-managed.ts';
import type { AgentRuntime, RuntimeCall, RuntimeReport } from '../../../application/ports/agent-runtime.ts';
import { runToDo } from './local-runs.ts';

export const ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/a';

/** What a runtime does when it is asked: it reports, fails, or (`null`) says nothing until it is left. */
export type Doing = RuntimeReport | Error | null;

/** An executor over a runtime that does so much at each try, and what came of it. Time passes while it waits. */
export const managing = (tries: readonly (readonly Doing[])[], more: Partial<ManagedDeps> = {}) => {
  const emitted: RunEvent[] = [];
  const slept: number[] = [];
  const asked: RuntimeCall[] = [];
  const stopped: string[] = [];
  const timers = new Set<{ readonly ms: number; readonly abort: AbortController }>();
  /** Resolved when the runtime begins to say nothing. */
  const quiet = Promise.withResolvers<void>();
  let now = 0;
  const runtime: AgentRuntime = {
    async *invoke(call, signal) {
      asked.push(call);
      for (const doing of tries[Math.min(asked.length, tries.length) - 1]!) {
        if (doing instanceof Error) throw doing;
        if (doing !== null) yield doing;
        else {
          quiet.resolve();
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        }
      }
    },
    stop: async ({ sessionId }) => void stopped.push(sessionId),
  };
  const executor = createManagedExecutor({
    runtime,
    allowed: new Set([ARN]),
    limits: { ms: 60_000, silenceMs: 5_000 },
    hidingFor: async () => (text) => text,
    clock: { now: () => now },
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    after: (ms) => {
      const timer = { ms, abort: new AbortController() };
      timers.add(timer);
      return { signal: timer.abort.signal, clear: () => void timers.delete(timer) };
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...more,
  });
  return {
    executor,
    emitted,
    slept,
    asked,
    stopped,
    timers,
    quiet: quiet.promise,
    /** Ends the waits of so many milliseconds. */
    runOut: (ms: number): void => {
      for (const timer of timers) if (timer.ms === ms) timer.abort.abort(new Error('late'));
    },
    execute: (
      run: Partial<RunToDo> = {},
      signal = new AbortController().signal,
      emit = async (event: RunEvent): Promise<void> => void emitted.push(event),
    ) =>
      executor.execute(runToDo({ executionMode: 'MANAGED_RUNTIME', runtimeArn: ARN, ...run }), emit, signal),
  };
};
