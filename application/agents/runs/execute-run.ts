import type { AgentRun, AgentRunCommand } from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { RetryingExecute } from '../../event-sourcing/execute.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Loaded, workerContext } from '../../jobs/load-work.ts';
import { stopReasonOf, WorkLost, type YieldSlot } from '../../jobs/work-handler.ts';
import { digestOf, readBodies, requestOf, type RulesFor, saltOf } from './bodies.ts';
import { contextOf, type ContextDeps } from './context.ts';
import { parseRequest, storedMessages, textOfMessages, redactMessage } from './messages.ts';
import { type Recorder, type RecorderDeps, createRecorder, createRunWriter } from './recorder.ts';
import { RunFailure, type RunToDo, type RunOutcome } from './run-executor.ts';
import type { RunExecutors } from './run-request.ts';
import { redactData } from '../../answers/extract/extraction.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';

const redactOutcome = ({ messages, result }: RunOutcome, rules: CompiledRules): RunOutcome => ({
  messages: messages.map((message) => redactMessage(message, rules)),
  result: redactData(result, rules) as RunOutcome['result'],
});

export interface ExecuteRunDeps extends RecorderDeps, ContextDeps {
  readonly execute: RetryingExecute;
  readonly executors: RunExecutors;
  readonly rulesFor: RulesFor;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly owner: string;
  /** How long a run may continue after the shutdown of the process has begun, in milliseconds. */
  readonly graceMs: number;
}

/** A run that this process has leased and that no worker has started. */
export interface LeasedRun extends Loaded<AgentRun> {
  readonly id: string;
  readonly traceparent: string | undefined;
  readonly signal: AbortSignal;
  readonly assertLeaseHeld: () => void;
  readonly yieldSlot: YieldSlot;
}

/** Starts the run, executes it, and records its end. @throws DomainError when the run was ended by another process */
export const executeRun = async (deps: ExecuteRunDeps, run: LeasedRun): Promise<void> => {
  const { state, id, signal, assertLeaseHeld } = run;
  const { tenant } = run.metadata;
  const context = workerContext(run, deps.owner, run.traceparent);
  const write = createRunWriter(deps, id, context, run);
  const send = async (command: AgentRunCommand): Promise<void> => {
    assertLeaseHeld();
    await write(command);
  };
  const texts = await readBodies(deps, tenant, state.threadId, [requestOf(id), saltOf(id)]);
  const [request, salt] = [texts.get(requestOf(id)), texts.get(saltOf(id))];
  if (request === undefined || salt === undefined)
    return send({ type: 'fail', code: 'internal_error', message: null, at: deps.clock.now() });
  const { input, mcpSessionId } = parseRequest(request);
  const { provider, executionMode } = state;
  const contextTokens =
    deps.executors[executionMode]?.historyTokens?.({ provider, input }) ?? deps.contextTokens;
  const before = await contextOf({ ...deps, contextTokens }, tenant, state);
  // Read before the claim, like all inputs: a failure before the claim is retried.
  const rules = await deps.rulesFor(tenant);
  const claim: AgentRunCommand = {
    type: 'claim',
    workerId: deps.owner,
    contextStartRunId: before.startRunId,
    contextTruncated: before.truncated,
    contextMessages: before.messages.length,
    contextDigest: digestOf(deps.hash, salt, JSON.stringify(storedMessages(before.messages))),
    at: deps.clock.now(),
  };
  const shared = { tenant, threadId: state.threadId, runId: id };
  const attempt = deps.ids.newId().slice(-8);
  const recorder = createRecorder(deps, { ...shared, salt, rules, claim, attempt, write, assertLeaseHeld });
  const runInput: RunToDo = {
    ...shared,
    caller: callerOf(tenant, state, context),
    onBehalfOf: {
      principalId: state.principalId,
      ...(state.authzPolicy !== null && { authzPolicy: state.authzPolicy }),
    },
    workflowType: state.workflowType,
    provider: state.provider,
    executionMode: state.executionMode,
    runtimeArn: state.runtimeArn,
    mcpSessionId,
    input,
    history: before.messages,
    begun: () => recorder.begun,
    yieldSlot: run.yieldSlot,
  };
  const ending = await runToEnd(deps, runInput, recorder, rules, signal);
  if (ending === null) return;
  await send(ending).catch((error: unknown) => {
    if (!(error instanceof DomainError) && !(error instanceof WorkLost)) throw error;
    deps.log.info('the end of a run was not recorded', {
      runId: id,
      command: ending.type,
      reason: error.message,
    });
  });
};

const callerOf = (tenant: string, { keyId, scopes, sourceGroupIds }: AgentRun, context: CommandContext) => ({
  id: keyId,
  tenant,
  grant: { scopes, sourceGroupIds },
  context,
});

/**
 * Executes the run and returns the command that ends it; null if the end is already recorded, or if this worker no
 * longer owns the run.
 *
 * @throws the error that prevented the start of the run: then another worker may start it
 */
const runToEnd = async (
  deps: ExecuteRunDeps,
  run: RunToDo,
  recorder: Recorder,
  rules: Awaited<ReturnType<RulesFor>>,
  signal: AbortSignal,
): Promise<AgentRunCommand | null> => {
  const { clock } = deps;
  try {
    const executor = deps.executors[run.executionMode];
    if (executor === null) throw new RunFailure('not_configured', `${run.executionMode} is not set up here`);
    const outcome = redactOutcome(await executor.execute(run, recorder.emit, signal), rules);
    const texts = {
      messages: textOfMessages(outcome.messages),
      result: JSON.stringify(outcome.result),
    };
    await recorder.end(texts, (refs) => ({ type: 'complete', ...refs, at: clock.now() }));
    return null;
  } catch (error) {
    await recorder.close().catch(() => undefined);
    await recorder.begin();
    if (signal.aborted) return afterStop(signal, clock.now());
    // The run was cancelled before the watch noticed, or it belongs to another worker: then the command is refused.
    if (error instanceof WorkLost) return { type: 'cancel_done', at: clock.now() };
    const { code, message } = failureOf(deps, run, error);
    const refs = message === null ? null : await recorder.keep({ error: message }).catch(() => null);
    return { type: 'fail', code, message: refs?.error ?? null, at: clock.now() };
  }
};

/** After a shutdown the run has used its grace period. It is never executed again, so it fails with its own code. */
const afterStop = (signal: AbortSignal, at: number): AgentRunCommand | null => {
  switch (stopReasonOf(signal)) {
    case 'canceled':
      return { type: 'cancel_done', at };
    case 'shutdown':
      return { type: 'lease_lost', code: 'worker_stopped', at };
    case 'deleted':
    case 'fenced':
    case 'outdated':
    case 'lease_lost':
      return null;
  }
};

interface ReportedFailure {
  readonly code: string;
  readonly message: string | null;
}
const failureOf = (deps: ExecuteRunDeps, run: RunToDo, error: unknown): ReportedFailure => {
  const { runId } = run;
  if (error instanceof RunFailure) {
    deps.log.info('a run failed', { runId, code: error.code });
    return { code: error.code, message: error.message };
  }
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  deps.log.error('a run failed unexpectedly', { runId, error: (error as Error).stack ?? String(error) });
  return { code: 'internal_error', message: null };
};
