import { DomainError } from '../../../domain/shared/domain-error.ts';
import { waitAfter } from '../runs/back-off.ts';
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

/** The session of a runtime that a thread has: with its own memory, found by the thread's id. */
const sessionIdOf = (threadId: string): string => `knowledger-${threadId}`;

/**
 * What a runtime is sent: the input of a run in the agent-UI protocol (RunAgentInput of AG-UI), and `prompt` for agents
 * that read nothing else.
 *
 * @param hide takes out what policies hide from agents
 */
const payloadOf = (run: RunToDo, hide: (text: string) => string): string => {
  const { workflowType, provider, onBehalfOf } = run;
  const { messages: asked, ...more } = run.input;
  const messages = [...run.history, ...asked].map((message, place) => sent(message, place, run.runId, hide));
  return JSON.stringify({
    prompt: hide(asked.at(-1)?.content ?? ''),
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
  place: number,
  runId: string,
  hide: (text: string) => string,
): Readonly<Record<string, unknown>> => {
  const shown = { id: `${runId}-m${place}`, role: message.role, content: hide(message.content) };
  if (message.role === 'tool') return { ...shown, toolCallId: message.toolCallId };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return shown;
  const toolCalls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: hide(given) },
  }));
  return { ...shown, toolCalls };
};

/** Every text in it, names of fields too. */
const hidden = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [hide(name), hidden(part, hide)]));
};

export interface ManagedLimits {
  /** For a whole run, waits for a busy runtime included, in milliseconds. */
  readonly ms: number;
  /** How long a runtime may say nothing at all, in milliseconds. */
  readonly idleTimeoutMs: number;
}

export interface ManagedDeps {
  readonly runtime: AgentRuntime;
  /** What the operator allows to be asked. */
  readonly allowed: ReadonlySet<string>;
  readonly limits: ManagedLimits;
  /** By the policies in force now. Throws where they cannot be read: then nothing may be sent. */
  readonly redactTextFor: (tenant: string) => Promise<(text: string) => string>;
  readonly clock: Clock;
  /** Waits so many milliseconds, or until the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly after: Listening['after'];
  readonly log: Logger;
}

/** Has runs executed by runtimes that somebody else operates: each is asked once, and what it reports is kept. */
export const createManagedExecutor = (deps: ManagedDeps): RunExecutor => ({
  check: ({ runtimeArn }) => {
    if (runtimeArn !== null && deps.allowed.has(runtimeArn)) return;
    throw new DomainError('not_configured', NOT_ALLOWED);
  },
  execute: async (run, emit, signal) => {
    const { runtimeArn } = run;
    if (runtimeArn === null || !deps.allowed.has(runtimeArn))
      throw new RunFailure('not_configured', NOT_ALLOWED);
    const { traceparent = null } = run.caller.context;
    const hide = await deps.redactTextFor(run.tenant);
    const payload = payloadOf(run, hide);
    const sessionId = sessionIdOf(run.threadId);
    const call = { runtimeArn, sessionId, payload, mcpSessionId: run.mcpSessionId, traceparent };
    await emit({ kind: 'handed_over', runtimeArn, runtimeSessionId: sessionId, request: payload });
    const late = deps.after(deps.limits.ms);
    try {
      return await ask(deps, { run, call, emit, signal: AbortSignal.any([signal, late.signal]) });
    } catch (error) {
      if (await mayBeAtWork(deps, error, signal)) await stopQuietly(deps, call, run.runId);
      signal.throwIfAborted();
      if (late.signal.aborted) throw new RunFailure('time_limit', tooLong(deps.limits.ms));
      throw error instanceof RuntimeFailed ? new RunFailure(error.code, hide(error.message)) : error;
    } finally {
      late.clear();
    }
  },
});

const NOT_ALLOWED =
  'this runtime_arn may not be asked here: the operator lists those that may in KNOWLEDGER_AGENT_RUNTIME_ARNS';
const tooLong = (ms: number): string => `the run took longer than ${Math.round(ms / 1_000)} s`;

interface Asking {
  readonly run: RunToDo;
  readonly call: RuntimeCall;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Asks, and asks again only as long as the runtime was busy or away before it began to answer. */
const ask = async (deps: ManagedDeps, asking: Asking): Promise<RunOutcome> => {
  const began = deps.clock.now();
  for (let tried = 1; ; tried += 1) {
    try {
      return await answered(deps, asking);
    } catch (error) {
      asking.signal.throwIfAborted();
      const waitMs = error instanceof RuntimeFailed && error.retryable ? waitAfter(tried) : null;
      const leftMs = deps.limits.ms - (deps.clock.now() - began);
      if (waitMs === null || waitMs >= leftMs) throw error;
      const message = `The runtime is busy or away: asking again in ${waitMs / 1_000} s.`;
      await asking.emit({ kind: 'note', code: 'runtime_retry', message });
      await deps.sleep(waitMs, asking.signal);
      asking.signal.throwIfAborted();
    }
  }
};

const answered = async (deps: ManagedDeps, { call, emit, signal }: Asking): Promise<RunOutcome> => {
  const reporting = createReporting(emit, call.runtimeArn);
  const listening = { after: deps.after, idleTimeoutMs: deps.limits.idleTimeoutMs };
  const reports = listen(listening, (ends) => deps.runtime.invoke(call, ends), signal);
  for await (const report of reports) await reporting.take(report);
  const { messages, ...more } = await reporting.end();
  const content = messages.map((message) => message.content).join('\n\n');
  const told = {
    message: { role: 'assistant', content },
    finishReason: 'stop',
    runtime: { arn: call.runtimeArn, sessionId: call.sessionId },
  };
  return { messages, result: { ...(snakeKeys(told) as object), ...more } };
};

/** How long the end of a run waits for whoever is to know of it, in milliseconds. */
const WAIT_MS = 1_000;
/** For these the run is still this worker's to end. Else the session may serve the next run of the thread by now. */
const OURS_TO_END: ReadonlySet<unknown> = new Set<StopReason>(['canceled', 'deleted', 'shutdown']);

/** Whether the runtime is to be stopped. What may not be kept any more is refused before the signal says why. */
const mayBeAtWork = async ({ after }: ManagedDeps, error: unknown, signal: AbortSignal): Promise<boolean> => {
  if (error instanceof WorkLost && !signal.aborted) {
    const late = after(WAIT_MS);
    await aborted(AbortSignal.any([signal, late.signal]));
    late.clear();
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

/** A runtime that goes on although nobody listens costs money and acts. What cannot be stopped is told to the log. */
const stopQuietly = async (
  { runtime, after, log }: ManagedDeps,
  { runtimeArn, sessionId }: RuntimeCall,
  runId: string,
): Promise<void> => {
  const late = after(WAIT_MS);
  try {
    await runtime.stop({ runtimeArn, sessionId }, late.signal);
  } catch (error) {
    const why = error instanceof RuntimeFailed ? error.message : 'it did not answer in time';
    log.warn('the session of a runtime could not be stopped', { runId, runtimeArn, sessionId, why });
  } finally {
    late.clear();
  }
};
