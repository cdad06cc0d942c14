import { DomainError } from '../../../domain/shared/domain-error.ts';
import { retryDelayMs } from '../runs/back-off.ts';
import {
  type Emit,
  type RunExecutor,
  RunFailure,
  type RunOutcome,
  type RunToDo,
} from '../runs/run-executor.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { type AgentRuntime, type RuntimeCall, RuntimeFailed } from '../../ports/agent-runtime.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { type StopReason, WorkLost } from '../../jobs/work-handler.ts';
import { type Listening, createReporting, listen } from './reporting.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';

/** The runtime session of a thread, which has its own memory; derived from the thread's id. */
const sessionIdOf = (threadId: string): string => `knowledger-${threadId}`;

/**
 * Builds the request to a runtime: the input of a run in the AG-UI protocol (RunAgentInput), and `prompt` for agents
 * that read nothing else.
 *
 * @param hide removes what policies hide from agents
 */
const payloadOf = (run: RunToDo, hide: (text: string) => string): string => {
  const { workflowType, provider, onBehalfOf } = run;
  const { messages: inputMessages, ...more } = run.input;
  const messages = [...run.history, ...inputMessages].map((message, index) =>
    sent(message, index, run.runId, hide),
  );
  return JSON.stringify({
    prompt: hide(inputMessages.at(-1)?.content ?? ''),
    threadId: run.threadId,
    runId: run.runId,
    messages,
    state: {},
    tools: [],
    context: [],
    forwardedProps: {
      ...(snakeKeys({ workflowType, provider, principalId: onBehalfOf.principalId ?? null }) as object),
      input: hidden(more, hide),
    },
  });
};

const sent = (
  message: AgentMessage,
  index: number,
  runId: string,
  hide: (text: string) => string,
): Readonly<Record<string, unknown>> => {
  const shown = { id: `${runId}-m${index}`, role: message.role, content: hide(message.content) };
  if (message.role === 'tool') return { ...shown, toolCallId: message.toolCallId };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return shown;
  const toolCalls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: hide(given) },
  }));
  return { ...shown, toolCalls };
};

/** Redacts every string in the value, including names of fields. */
const hidden = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [hide(name), hidden(part, hide)]));
};

export interface ManagedLimits {
  /** Time limit of a run in milliseconds, including the delays while the runtime is busy. */
  readonly ms: number;
  /** Maximum time without any data from the runtime, in milliseconds. */
  readonly idleTimeoutMs: number;
}

export interface ManagedDeps {
  readonly runtime: AgentRuntime;
  /** ARNs of the runtimes that the operator allows. */
  readonly allowed: ReadonlySet<string>;
  readonly limits: ManagedLimits;
  /** Redacts by the current policies. Throws when the policies cannot be read: then nothing may be sent. */
  readonly redactTextFor: (tenant: string) => Promise<(text: string) => string>;
  readonly clock: Clock;
  /** Waits `ms` milliseconds, or until the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly after: Listening['after'];
  readonly log: Logger;
}

/** Delegates runs to runtimes that another party operates. Each run is executed once; its reports are recorded. */
export const createManagedExecutor = (deps: ManagedDeps): RunExecutor => ({
  check: ({ runtimeArn }) => {
    if (runtimeArn !== null && deps.allowed.has(runtimeArn)) return;
    throw new DomainError('not_configured', NOT_ALLOWED);
  },
  execute: async (run, emit, signal) => {
    const { runtimeArn } = run;
    if (runtimeArn === null || !deps.allowed.has(runtimeArn))
      throw new RunFailure('not_configured', NOT_ALLOWED);
    const hide = await deps.redactTextFor(run.tenant);
    const payload = payloadOf(run, hide);
    const sessionId = sessionIdOf(run.threadId);
    const call = { runtimeArn, sessionId, payload, mcpSessionId: run.mcpSessionId };
    await emit({ kind: 'handed_over', runtimeArn, runtimeSessionId: sessionId, request: payload });
    const timeout = deps.after(deps.limits.ms);
    try {
      return await ask(deps, { run, call, emit, signal: AbortSignal.any([signal, timeout.signal]) });
    } catch (error) {
      if (await mustStopRuntime(deps, error, signal)) await stopQuietly(deps, call, run.runId);
      signal.throwIfAborted();
      if (timeout.signal.aborted) throw new RunFailure('time_limit', tooLong(deps.limits.ms));
      throw error instanceof RuntimeFailed ? new RunFailure(error.code, hide(error.message)) : error;
    } finally {
      timeout.clear();
    }
  },
});

const NOT_ALLOWED =
  'this runtime_arn is not allowed: the operator lists the allowed ones in KNOWLEDGER_AGENT_RUNTIME_ARNS';
const tooLong = (ms: number): string => `the run took longer than ${Math.round(ms / 1_000)} s`;

interface RuntimeCallInProgress {
  readonly run: RunToDo;
  readonly call: RuntimeCall;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Calls the runtime. Retries only if the runtime was busy or unavailable before it began to respond. */
const ask = async (deps: ManagedDeps, asking: RuntimeCallInProgress): Promise<RunOutcome> => {
  const startedAt = deps.clock.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await answered(deps, asking);
    } catch (error) {
      asking.signal.throwIfAborted();
      const waitMs = error instanceof RuntimeFailed && error.retryable ? retryDelayMs(attempt) : null;
      const leftMs = deps.limits.ms - (deps.clock.now() - startedAt);
      if (waitMs === null || waitMs >= leftMs) throw error;
      const message = `The runtime is busy or unavailable: retrying in ${waitMs / 1_000} s.`;
      await asking.emit({ kind: 'note', code: 'runtime_retry', message });
      await deps.sleep(waitMs, asking.signal);
      asking.signal.throwIfAborted();
    }
  }
};

const answered = async (
  deps: ManagedDeps,
  { call, emit, signal }: RuntimeCallInProgress,
): Promise<RunOutcome> => {
  const reporting = createReporting(emit, call.runtimeArn);
  const listening = { after: deps.after, idleTimeoutMs: deps.limits.idleTimeoutMs };
  const reports = listen(listening, (ends) => deps.runtime.invoke(call, ends), signal);
  for await (const report of reports) await reporting.take(report);
  const { messages, ...more } = await reporting.end();
  const content = messages.map((message) => message.content).join('\n\n');
  const body = {
    message: { role: 'assistant', content },
    finishReason: 'stop',
    runtime: { arn: call.runtimeArn, sessionId: call.sessionId },
  };
  return { messages, result: { ...(snakeKeys(body) as object), ...more } };
};

/** Maximum delay at the end of a run for a stop reason, and for the response to `stop`, in milliseconds. */
const WAIT_MS = 1_000;
/** Stop reasons after which this worker still owns the run. Otherwise the session may already serve the next run. */
const OURS_TO_END: ReadonlySet<unknown> = new Set<StopReason>(['canceled', 'deleted', 'shutdown']);

/** Whether to stop the runtime. A write may be refused before the signal carries the reason, so this waits for it. */
const mustStopRuntime = async (
  { after }: ManagedDeps,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> => {
  if (error instanceof WorkLost && !signal.aborted) {
    const timeout = after(WAIT_MS);
    await aborted(AbortSignal.any([signal, timeout.signal]));
    timeout.clear();
    if (!signal.aborted) return false;
  }
  if (signal.aborted) return OURS_TO_END.has(signal.reason);
  return !(error instanceof RuntimeFailed) || error.mayStillRun;
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Stops a runtime that would otherwise cost money and act without a listener. Failures are only logged. */
const stopQuietly = async (
  { runtime, after, log }: ManagedDeps,
  { runtimeArn, sessionId }: RuntimeCall,
  runId: string,
): Promise<void> => {
  const timeout = after(WAIT_MS);
  try {
    await runtime.stop({ runtimeArn, sessionId }, timeout.signal);
  } catch (error) {
    const why = error instanceof RuntimeFailed ? error.message : 'it did not answer in time';
    log.warn('the session of a runtime could not be stopped', { runId, runtimeArn, sessionId, why });
  } finally {
    timeout.clear();
  }
};
