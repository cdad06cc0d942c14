import { type AgentRun, agentRun, type AgentRunState, noSuchRun } from '../../../domain/agent-run/index.ts';
import {
  agentThread,
  type AgentThreadState,
  noSuchThread,
  type OpenThread,
  visible,
} from '../../../domain/agent-thread/decider.ts';
import type { Caller } from '../../access/caller.ts';
import { reaches } from '../../answers/conversations/load.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position } from '../../ports/event-store.ts';
import { agentRunStream, agentThreadStream } from '../../event-sourcing/streams.ts';

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
