import {
  closedPart,
  type Context,
  emptyContext,
  grow,
  type Turn,
} from '../../../domain/agent-run/context.ts';
import {
  type AgentRun,
  agentRun,
  type AgentRunEvent,
  type BodyRef,
} from '../../../domain/agent-run/index.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { estimateTokens } from '../../answers/completions/prompt.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Vault } from '../../ports/vault.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { readBodies, requestOf } from './bodies.ts';
import { loadRun } from './load.ts';
import { parseMessages, parseRequest, readMessages } from './messages.ts';

export interface ContextDeps {
  readonly execute: Pick<Execute, 'load' | 'history'>;
  readonly vault: Vault;
  /** What a history may take of a model's window, in tokens. */
  readonly contextTokens: number;
}

/**
 * What was said before a run, from the events of the runs above it and their bodies: the same in every process. Reads no
 * more runs than fit.
 *
 * @throws DomainError not_found when the key of the thread was destroyed
 */
export const contextOf = async (deps: ContextDeps, tenant: string, run: AgentRun): Promise<Context> => {
  let context = emptyContext(deps.contextTokens);
  if (run.inputHistoryMode === 'legacy_full') return context;
  let above = run.parentRunId;
  while (above !== null && !context.complete) {
    const parent = await loadRun(deps, tenant, above);
    if (parent.status === 'none') break;
    context = grow(context, await turnOf(deps, tenant, above, parent));
    above = parent.parentRunId;
  }
  return context;
};

const turnOf = async (deps: ContextDeps, tenant: string, runId: string, run: AgentRun): Promise<Turn> => {
  const added = run.messages === null ? await heard(deps, tenant, runId, run) : [run.messages.bodyId];
  const texts = await readBodies(deps, tenant, run.threadId, [requestOf(runId), ...added]);
  const request = texts.get(requestOf(runId));
  const asked = request === undefined ? [] : parseRequest(request).input.messages;
  const said = added.flatMap((id) => messagesIn(texts.get(id)));
  // Instructions hold for the one run that brings them.
  const messages = [...asked, ...closedPart(said)].filter(({ role }) => role !== 'system');
  return {
    runId,
    inputHistoryMode: run.inputHistoryMode,
    messages,
    tokens: messages.reduce((sum, message) => sum + tokensOf(message), 0),
  };
};

/** Bodies of what a run that did not succeed has told: answers of its model, and of its tools. */
const heard = async (
  { execute }: ContextDeps,
  tenant: string,
  runId: string,
  run: AgentRun,
): Promise<readonly string[]> => {
  const past = await execute.history(agentRun, agentRunStream(runId), tenant);
  return past.flatMap(({ event }) => heardIn(run, event)?.bodyId ?? []);
};

/** What the tools of a runtime answered stays with the runtime: nobody here has called them. */
const heardIn = ({ executionMode }: AgentRun, event: AgentRunEvent): BodyRef | null => {
  if (event.type !== 'RunEmitted') return null;
  const { kind } = event.emission;
  const isHeard = kind === 'model_answered' || (kind === 'tool_answered' && executionMode === 'LOCAL');
  return isHeard ? event.body : null;
};

/** Of a run that succeeded all its messages; otherwise one message. */
const messagesIn = (text: string | undefined): readonly AgentMessage[] => {
  if (text === undefined) return [];
  const stored = JSON.parse(text) as unknown;
  if (Array.isArray(stored)) return parseMessages(text);
  return readMessages([(stored as { message: unknown }).message]);
};

const tokensOf = (message: AgentMessage): number => {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return (
    estimateTokens(message.content) +
    calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0)
  );
};
