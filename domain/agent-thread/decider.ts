import type { RunFacts } from '../agent-run/index.ts';
import { union } from '../shared/reach.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

/** A thread knows the order of its runs, and which may still be under way; what each did is told by its own stream. */
export interface AgentThreadStarted {
  readonly type: 'AgentThreadStarted';
  /** The end user on whose behalf it is held; null: none. Whoever names another one does not find it. */
  readonly principalId: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
/** From here on the run is part of the thread, and is pending, whether or not its own stream has begun. */
export type RunAdmitted = Omit<RunFacts, 'threadId'> & {
  readonly type: 'RunAdmitted';
  readonly runId: string;
  /** Runs that were found to be over by now. */
  readonly ended: readonly string[];
};
/** The key of its texts was destroyed before. */
export interface AgentThreadDeleted {
  readonly type: 'AgentThreadDeleted';
  readonly at: number;
}
export type AgentThreadEvent = AgentThreadStarted | RunAdmitted | AgentThreadDeleted;

/** What happens to a run while another one of its thread is not over. */
export type Concurrency = 'reject' | 'enqueue';

type RunFactsOfRequest = Omit<RunFacts, 'threadId' | 'parentRunId' | 'afterRunId' | 'reach'>;
export interface AdmitRun extends RunFactsOfRequest {
  readonly type: 'admit';
  readonly runId: string;
  /** The thread must not exist yet: this run begins it. */
  readonly starts: boolean;
  /** A run of this thread; null: none, it stands beside the first; absent: that which was admitted last. */
  readonly parentRunId?: string | null;
  readonly concurrency: Concurrency;
  /** Those of its unsettled runs that are over. */
  readonly ended: readonly string[];
}
export interface DeleteThread {
  readonly type: 'delete';
  readonly principalId: string | null;
  readonly at: number;
}
export type AgentThreadCommand = AdmitRun | DeleteThread;

interface Owned {
  readonly principalId: string | null;
  /** The source groups of which its runs may tell; null: every one. */
  readonly reach: readonly string[] | null;
  /** Runs that may not be over, in the order of their admission. */
  readonly unsettled: readonly string[];
}
export interface OpenThread extends Owned {
  readonly status: 'open';
  /** The run that was admitted last: it has no child, and so is the newest leaf. Null only before the first. */
  readonly newestRunId: string | null;
}
/** It does not grow with the runs: whether a run lies in the thread is told by the stream of the run. */
export type AgentThreadState =
  | { readonly status: 'none' }
  | OpenThread
  | (Owned & { readonly status: 'deleted' });

const initial: AgentThreadState = { status: 'none' };

const evolve = (state: AgentThreadState, event: AgentThreadEvent): AgentThreadState => {
  switch (event.type) {
    case 'AgentThreadStarted': {
      const { principalId } = event;
      return { status: 'open', principalId, reach: [], unsettled: [], newestRunId: null };
    }
    case 'RunAdmitted': {
      const { runId, reach } = event;
      return {
        ...open(state),
        reach,
        unsettled: [...unsettledBut(open(state), event), runId],
        newestRunId: runId,
      };
    }
    case 'AgentThreadDeleted': {
      const { principalId, reach, unsettled } = open(state);
      return { status: 'deleted', principalId, reach, unsettled };
    }
  }
};

/** Runs that may still be under way, of which `ended` are not. */
const unsettledBut = ({ unsettled }: Owned, { ended }: Pick<RunAdmitted, 'ended'>): readonly string[] =>
  unsettled.filter((id) => !ended.includes(id));

const open = (state: AgentThreadState): OpenThread => {
  if (state.status === 'open') return state;
  throw new Error('an event of a thread that is not there');
};

/** Runs of a thread that may wait: what a thread knows must not grow without bounds. */
export const MAX_UNSETTLED = 100;

/** A command that is repeated with the ids that it had leads to nothing; after a deletion nothing is found any more. */
const decide = (command: AgentThreadCommand, state: AgentThreadState): readonly AgentThreadEvent[] => {
  if (command.type === 'delete') {
    visible(state, command.principalId);
    return [{ type: 'AgentThreadDeleted', at: command.at }];
  }
  const { principalId, at, sourceGroupIds } = command;
  if (state.status === 'none' && command.starts) {
    const started = { type: 'AgentThreadStarted', principalId, at } as const;
    const place = { parentRunId: null, afterRunId: null, reach: sourceGroupIds };
    return [started, admitted(command, place)];
  }
  return admit(command, visible(state, principalId));
};

/** @throws DomainError not_found unless the thread is there and held on behalf of this principal */
export const visible = (state: AgentThreadState, principalId: string | null): OpenThread => {
  if (state.status !== 'open' || state.principalId !== principalId) throw noSuchThread();
  return state;
};

/** One answer for what is absent, deleted, or another's. */
export const noSuchThread = (): DomainError => new DomainError('not_found', 'there is no such thread');

const admit = (command: AdmitRun, thread: OpenThread): readonly AgentThreadEvent[] => {
  const { runId, concurrency } = command;
  if (thread.unsettled.includes(runId)) return [];
  if (command.starts) throw new DomainError('conflict', 'this thread was begun with another run');
  const busy = unsettledBut(thread, command);
  if (busy.length > 0 && concurrency === 'reject') {
    throw new DomainError(
      'thread_busy',
      'another run of this thread is not over: wait for it, cancel it, or send concurrency enqueue',
    );
  }
  if (busy.length >= MAX_UNSETTLED) {
    throw new DomainError('thread_busy', `${MAX_UNSETTLED} runs of this thread wait already`);
  }
  const parentRunId = command.parentRunId === undefined ? thread.newestRunId : command.parentRunId;
  const reach = union(thread.reach, command.sourceGroupIds);
  return [admitted(command, { parentRunId, afterRunId: busy.at(-1) ?? null, reach })];
};

const admitted = (
  command: AdmitRun,
  place: Pick<RunAdmitted, 'parentRunId' | 'afterRunId' | 'reach'>,
): RunAdmitted => {
  const { type: _, starts: _starts, concurrency: _concurrency, ...facts } = command;
  return { ...facts, type: 'RunAdmitted', ...place };
};

export const agentThread: Decider<AgentThreadCommand, AgentThreadEvent, AgentThreadState, 'agentThread'> = {
  category: 'agentThread',
  initial,
  decide,
  evolve,
};
