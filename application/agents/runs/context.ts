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
import { reaches } from '../../answers/conversations/load-conversation.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { agentRunStream, agentThreadStream } from '../../event-sourcing/streams.ts';
import type { Position } from '../../ports/event-store.ts';
import type { AgentView } from '../../ports/agent-view.ts';
import type { Vault } from '../../ports/vault.ts';
import { readBodies, requestOf } from './bodies.ts';
import { parseMessages, parseRequest, readMessages } from './messages.ts';

export interface ContextDeps {
  readonly execute: Pick<Execute, 'load' | 'history'>;
  readonly vault: Vault;
  readonly view: Pick<AgentView, 'lineOf'>;
  /** Maximum tokens of the history in the model's context window. */
  readonly contextTokens: number;
}

/** Ancestors that are read together: of the nearest ones few, then twice as many each time, up to `most`. */
const TOGETHER = { first: 4, most: 256 } as const;

/**
 * Builds the history of a run from the events and bodies of its ancestor runs; the result is the same in every
 * process. Reads many runs at once, and at most about twice as many as fit.
 *
 * @throws DomainError not_found when the key of the thread was destroyed
 */
export const contextOf = async (deps: ContextDeps, tenant: string, run: AgentRun): Promise<Context> => {
  let context = emptyContext(deps.contextTokens);
  if (run.inputHistoryMode === 'legacy_full') return context;
  let above = run.parentRunId;
  for (let most: number = TOGETHER.first; above !== null && !context.complete; most *= 2) {
    const ancestors = await ancestorsFrom(deps, tenant, above, Math.min(most, TOGETHER.most));
    const ids = ancestors.flatMap(({ id, added }) => [requestOf(id), ...added]);
    if (ids.length === 0) break;
    const texts = await readBodies(deps, tenant, run.threadId, ids);
    context = ancestors.map((ancestor) => turnOf(ancestor, texts)).reduce(grow, context);
    above = ancestors.at(-1)?.parentRunId ?? null;
  }
  return context;
};

interface Ancestor extends Pick<AgentRun, 'parentRunId' | 'inputHistoryMode'> {
  readonly id: string;
  /** The bodies with its messages. */
  readonly added: readonly string[];
}

/** The run and some of those above it, nearest first. */
const ancestorsFrom = async (
  deps: ContextDeps,
  tenant: string,
  nearest: string,
  most: number,
): Promise<readonly Ancestor[]> => {
  const line = await deps.view.lineOf(tenant, nearest, most);
  const found = await Promise.all(
    line.length === 0
      ? [loadAncestor(deps, tenant, nearest)]
      : line.map(async (row) => {
          const { id, messagesBodyId } = row;
          return messagesBodyId === null
            ? loadAncestor(deps, tenant, id)
            : { ...row, added: [messagesBodyId] };
        }),
  );
  return found.filter((ancestor) => ancestor !== null);
};

/** From the run's stream: the view may lag behind, and does not tell what an unsuccessful run exchanged. */
const loadAncestor = async (deps: ContextDeps, tenant: string, id: string): Promise<Ancestor | null> => {
  const run = await loadRun(deps, tenant, id);
  if (run.status === 'none') return null;
  const { parentRunId, inputHistoryMode, messages } = run;
  const added = messages === null ? await exchangedBodies(deps, tenant, id, run) : [messages.bodyId];
  return { id, parentRunId, inputHistoryMode, added };
};

const turnOf = (
  { id: runId, inputHistoryMode, added }: Ancestor,
  texts: ReadonlyMap<string, string>,
): Turn => {
  const request = texts.get(requestOf(runId));
  const inputMessages = request === undefined ? [] : parseRequest(request).input.messages;
  const outputMessages = added.flatMap((id) => messagesIn(texts.get(id)));
  // System messages apply only to the run that brings them.
  const messages = [...inputMessages, ...closedPart(outputMessages)].filter(({ role }) => role !== 'system');
  return {
    runId,
    inputHistoryMode,
    messages,
    tokens: messages.reduce((sum, message) => sum + tokensOf(message), 0),
  };
};

/** Ids of the answers of the model and the tools in a run that did not succeed. */
const exchangedBodies = async (
  { execute }: ContextDeps,
  tenant: string,
  runId: string,
  run: AgentRun,
): Promise<readonly string[]> => {
  const past = await execute.history(agentRun, agentRunStream(runId), tenant);
  return past.flatMap(({ event }) => exchangedBody(run, event)?.bodyId ?? []);
};

/** Results of a runtime's own tools are excluded: this service did not call them. */
const exchangedBody = ({ executionMode }: AgentRun, event: AgentRunEvent): BodyRef | null => {
  if (event.type !== 'RunEmitted') return null;
  const { kind } = event.emission;
  const isExchanged = kind === 'model_answered' || (kind === 'tool_answered' && executionMode === 'LOCAL');
  return isExchanged ? event.body : null;
};

/** Parses a body: all messages of a run that succeeded, or a single message. */
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

/** Loads a thread of a tenant, also a deleted one. A thread of another tenant looks as if it did not exist. */
export const loadThread = async (
  { execute }: LoadDeps,
  tenant: string,
  id: string,
): Promise<AgentThreadState> =>
  (await execute.load(agentThread, agentThreadStream(id), tenant))?.state ?? agentThread.initial;

/** @throws DomainError not_found unless the thread exists, belongs to this principal and is within the key's reach */
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

/**
 * Runs may contain texts of every source group that their creators could read; a key with a smaller reach is refused.
 */
export const mustReachThread =
  (caller: Caller) =>
  (state: AgentThreadState): void => {
    if (state.status !== 'none' && !reaches(caller, state.reach)) throw noSuchThread();
  };

export const loadRun = async ({ execute }: LoadDeps, tenant: string, id: string): Promise<AgentRunState> =>
  (await execute.load(agentRun, agentRunStream(id), tenant))?.state ?? agentRun.initial;

/** A run with the revision and the position of its latest event. */
export interface VisibleRun {
  readonly run: AgentRun;
  readonly revision: bigint;
  readonly position: Position;
}

/** Like `loadVisibleThread`, for a run. The runs of a deleted thread are not found. */
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
