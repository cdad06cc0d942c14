import {
  type Context,
  type Turn,
  closedPart,
  emptyContext,
  grow,
} from '../../../domain/agent-run/context.ts';
import {
  type AgentRun,
  type AgentRunEvent,
  type AgentRunState,
  type BodyRef,
  agentRun,
  noSuchRun,
} from '../../../domain/agent-run/index.ts';
import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import {
  type AgentThreadState,
  type OpenThread,
  agentThread,
  noSuchThread,
  visible,
} from '../../../domain/agent-thread/decider.ts';
import type { Caller } from '../../access/caller.ts';
import { estimateTokens } from '../../answers/completions/prompt.ts';
import { reaches } from '../../answers/conversations/load.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { agentRunStream, agentThreadStream } from '../../event-sourcing/streams.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { readBodies, requestOf } from './bodies.ts';
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

export interface LoadDeps {
  readonly execute: Pick<Execute, 'load'>;
}

/** A thread of a tenant, deleted ones included; one of another tenant is as one that never was. */
export const loadThread = async (
  { execute }: LoadDeps,
  tenant: string,
  id: string,
): Promise<AgentThreadState> =>
  (await execute.load(agentThread, agentThreadStream(id), tenant))?.state ?? agentThread.initial;

/** @throws DomainError not_found unless it is there, held for this principal, and within what the key may see */
export const loadVisibleThread = async (
  deps: LoadDeps,
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<OpenThread> => {
  const state = await loadThread(deps, caller.tenant, id);
  mustReachThread(caller)(state);
  return visible(state, principalId);
};

/** Runs may tell of every source group that their askers could see: a key restricted to fewer does not find the thread. */
export const mustReachThread =
  (caller: Caller) =>
  (state: AgentThreadState): void => {
    if (state.status !== 'none' && !reaches(caller, state.reach)) throw noSuchThread();
  };

export const loadRun = async ({ execute }: LoadDeps, tenant: string, id: string): Promise<AgentRunState> =>
  (await execute.load(agentRun, agentRunStream(id), tenant))?.state ?? agentRun.initial;

/** A run as far as its stream goes. */
export interface VisibleRun {
  readonly run: AgentRun;
  readonly revision: bigint;
  readonly position: Position;
}

/** The same of a run. One of a thread that was deleted is gone with it. */
export const loadVisibleRun = async (
  deps: LoadDeps,
  caller: Caller,
  id: string,
  principalId: string | null,
): Promise<VisibleRun> => {
  const found = await deps.execute.load(agentRun, agentRunStream(id), caller.tenant);
  if (found === null || found.revision === 'none') throw noSuchRun();
  const { state: run, revision, position } = found;
  if (run.status === 'none' || run.principalId !== principalId || !reaches(caller, run.reach))
    throw noSuchRun();
  const thread = await loadThread(deps, caller.tenant, run.threadId);
  if (thread.status !== 'open') throw noSuchRun();
  return { run, revision, position };
};
