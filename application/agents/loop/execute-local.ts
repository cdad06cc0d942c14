import { evolve, INITIAL_STATE, type LoopState } from '../../../domain/agent-loop/state.ts';
import { type LoopLimits, timeLimit } from '../../../domain/agent-loop/limits.ts';
import { type Assignment, next } from '../../../domain/agent-loop/next.ts';
import { lastNumberIn } from '../../../domain/agent-loop/passages.ts';
import type { Decision, Fact, Finished } from '../../../domain/agent-loop/step.ts';
import { type Emit, type RunExecutor, RunFailure, type RunOutcome } from '../runs/run-executor.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { ModelTool } from '../../ports/language-model.ts';
import type { YieldSlot } from '../../jobs/work-handler.ts';
import type { Logger } from '../../ports/logger.ts';
import { type AgentTool, createNumbering, type OpenedTools, type ToolSource } from './agent-tool.ts';
import { askModel, type ModelAsking } from './ask-model.ts';
import { callTools, type ToolCalling } from './call-tools.ts';
import {
  assignmentOf,
  mustHaveKnownFields,
  type Prepared,
  prepare,
  type PrepareDeps,
  prepareAccepted,
} from './prepare.ts';
import { historyTokens } from './request.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';

/**
 * Builds the result of a run as the API shows it, with names in snake_case.
 *
 * @param steps the number of steps, as the events of the run report it
 */
const resultOf = (
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
  const body = {
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
  return { ...(snakeKeys(body) as object), ...(output !== undefined && { output: { rows: output } }) };
};

export interface LocalDeps extends PrepareDeps {
  /** All sources of tools. If two sources offer the same name, the first one wins. */
  readonly sources: readonly ToolSource[];
  /** Tokens of the definitions of the tools that every run has. Those of tool servers show when a run begins. */
  readonly toolTokens: number;
  readonly limits: LoopLimits;
  /** Redacts by the current policies. Throws when the policies cannot be read: then nothing may be shown. */
  readonly redactTextFor: (tenant: string) => Promise<(text: string) => string>;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly sleep: ModelAsking['sleep'];
  readonly after: ToolCalling['after'];
  readonly log: Logger;
}

/** Executes runs in this process: the domain decides each step, and this loop performs it and records the facts. */
export const createLocalExecutor = (deps: LocalDeps): RunExecutor => ({
  check: (request) => mustHaveKnownFields(prepare(deps, request), request),
  historyTokens: ({ provider, input }) => {
    const found = deps.modelOf(provider);
    if (found === undefined) return 0;
    const { contextWindow, toolUse } = found.model;
    const toolTokens = toolUse ? deps.toolTokens : 0;
    const room = { contextWindow, answerTokens: found.maxTokens ?? undefined, toolTokens };
    return historyTokens(room, input.messages);
  },
  execute: async (run, emit, signal) => {
    const prepared = prepareAccepted(deps, run);
    const startedAt = deps.clock.now();
    const timeout = deps.after(deps.limits.ms);
    const ends = AbortSignal.any([signal, timeout.signal]);
    const numbering = createNumbering(lastNumberIn(run.history));
    const opened: OpenedTools[] = [];
    try {
      for (const source of deps.sources) opened.push(await source.open(run, numbering, ends));
      for (const note of opened.flatMap(({ notes }) => notes)) await emit({ kind: 'note', ...note });
      const assignment = assignmentOf(run, prepared);
      const hide = await deps.redactTextFor(run.tenant);
      const tools = byName(opened.flatMap(({ tools: own }) => own));
      const { yieldSlot } = run;
      return await loop(deps, {
        ...prepared,
        assignment,
        tools,
        hide,
        startedAt,
        emit,
        signal: ends,
        yieldSlot,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.signal.aborted && error === timeout.signal.reason) throw failureOf(timeLimit(deps.limits));
      throw error;
    } finally {
      timeout.clear();
      await Promise.all(opened.map((one) => one.close()));
    }
  },
});

const byName = (tools: readonly AgentTool[]): ReadonlyMap<string, AgentTool> => {
  const named = new Map<string, AgentTool>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return named;
};

interface LoopRun extends Prepared {
  readonly assignment: Assignment;
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly hide: (text: string) => string;
  readonly startedAt: number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly yieldSlot: YieldSlot;
}

const loop = async (deps: LocalDeps, loopRun: LoopRun): Promise<RunOutcome> => {
  const nonce = deps.ids.newId().replaceAll('-', '').slice(-12);
  let state = INITIAL_STATE;
  let step = 0;
  for (;;) {
    loopRun.signal.throwIfAborted();
    if (step > 0) await loopRun.yieldSlot();
    const elapsed = deps.clock.now() - loopRun.startedAt;
    const decision = next(loopRun.workflow, deps.limits, loopRun.assignment, state, elapsed);
    if (decision.kind === 'fail') throw failureOf(decision);
    if (decision.kind === 'finish') return finish(loopRun, decision, { state, steps: step });
    if (decision.kind === 'call_model') step += 1;
    else if (step === 0) {
      step = 1;
      await loopRun.emit({ kind: 'step', step });
    }
    state = (await factsOf(deps, loopRun, decision, { step, nonce })).reduce(evolve, state);
  }
};

const factsOf = async (
  deps: LocalDeps,
  loopRun: LoopRun,
  decision: Extract<Decision, { kind: 'call_model' | 'call_tools' }>,
  { step, nonce }: { readonly step: number; readonly nonce: string },
): Promise<readonly Fact[]> => {
  const { model, tools, hide, emit, signal } = loopRun;
  if (decision.kind === 'call_model') {
    const leftMs = (): number => deps.limits.ms - (deps.clock.now() - loopRun.startedAt);
    const offered = [...tools.values()].map(modelTool);
    return [
      await askModel(
        {
          ...model,
          tools: offered,
          history: new Set(loopRun.assignment.history),
          nonce,
          step,
          emit,
          sleep: deps.sleep,
          leftMs,
          signal,
        },
        decision,
      ),
    ];
  }
  const maxResultCharacters = maxCharacters(model.model.contextWindow, decision);
  const calling = {
    tools,
    maxCharacters: maxResultCharacters,
    step,
    emit,
    after: deps.after,
    log: deps.log,
    hide,
    signal,
  };
  return callTools(calling, decision.calls);
};

const modelTool = ({ name, description, parameters }: AgentTool): ModelTool => ({
  name,
  description,
  parameters,
});

/** Maximum characters of a result. Results that the model sees together share half of its context window. */
const MAX_CHARACTERS = { together: 20_000, apart: 400_000 } as const;
const CHARACTERS_PER_TOKEN = 3;

const maxCharacters = (
  contextWindow: number,
  { shown, calls }: Extract<Decision, { kind: 'call_tools' }>,
): number => {
  if (shown === 'apart') return MAX_CHARACTERS.apart;
  const share = Math.floor((contextWindow * CHARACTERS_PER_TOKEN) / 2 / Math.max(4, calls.length));
  return Math.max(500, Math.min(MAX_CHARACTERS.together, share));
};

const finish = async (
  { emit, model }: LoopRun,
  decision: Finished,
  { state, steps }: { readonly state: LoopState; readonly steps: number },
): Promise<RunOutcome> => {
  const contentIds = [...new Set(decision.citations.map(({ contentId }) => contentId))];
  if (contentIds.length > 0) await emit({ kind: 'citations', contentIds });
  return {
    messages: decision.messages,
    result: resultOf(decision, state, { model: model.model.name, steps }),
  };
};

const failureOf = (decision: Decision): RunFailure =>
  decision.kind === 'fail'
    ? new RunFailure(decision.code, decision.message)
    : new RunFailure('internal_error', 'the run ended without a reason');
