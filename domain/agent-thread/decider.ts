import type { RunFacts } from '../agent-run/index.ts';
import { union } from '../shared/reach.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

/**
 * A thread stores the order of its runs, and which of them may still be running; the runs have streams of their own.
 */
export interface AgentThreadStarted {
  readonly type: 'AgentThreadStarted';
  /** The end user to whom the thread belongs; null for none. It is not visible to other principals. */
  readonly principalId: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
/** From here on the run belongs to the thread and is pending, even if its own stream has not started yet. */
export type RunAdmitted = Omit<RunFacts, 'threadId'> & {
  readonly type: 'RunAdmitted';
  readonly runId: string;
  /** Earlier runs that were found to have ended. */
  readonly ended: readonly string[];
};
/** The key of the thread's texts was destroyed before this event. */
export interface AgentThreadDeleted {
  readonly type: 'AgentThreadDeleted';
  readonly at: number;
}
export type AgentThreadEvent = AgentThreadStarted | RunAdmitted | AgentThreadDeleted;

/** What happens to a new run while another run of the thread has not ended. */
export type Concurrency = 'reject' | 'enqueue';

type RunFactsOfRequest = Omit<RunFacts, 'threadId' | 'parentRunId' | 'afterRunId' | 'reach'>;
export interface AdmitRun extends RunFactsOfRequest {
  readonly type: 'admit';
  readonly runId: string;
  /** Whether this run starts the thread, which must not exist yet. */
  readonly starts: boolean;
  /** A run of this thread; null for a sibling of the first run; absent for the latest run. */
  readonly parentRunId?: string | null;
  readonly concurrency: Concurrency;
  /** The unsettled runs of the thread that have ended. */
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
  /** The source groups that texts of its runs may come from; null for all. */
  readonly reach: readonly string[] | null;
  /** Runs that may not have ended, in the order of their admission. */
  readonly unsettled: readonly string[];
}
export interface OpenThread extends Owned {
  readonly status: 'open';
  /** The latest run: it has no child, so it is the newest leaf. Null only before the first run. */
  readonly newestRunId: string | null;
}
/** The state does not grow with the number of runs: the stream of a run says to which thread it belongs. */
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
        unsettled: [...unsettledWithout(open(state), event), runId],
        newestRunId: runId,
      };
    }
    case 'AgentThreadDeleted': {
      const { principalId, reach, unsettled } = open(state);
      return { status: 'deleted', principalId, reach, unsettled };
    }
  }
};

/** The unsettled runs without those in `ended`. */
const unsettledWithout = ({ unsettled }: Owned, { ended }: Pick<RunAdmitted, 'ended'>): readonly string[] =>
  unsettled.filter((id) => !ended.includes(id));

const open = (state: AgentThreadState): OpenThread => {
  if (state.status === 'open') return state;
  throw new Error('an event of a thread that does not exist');
};

/** Maximum waiting runs of a thread: the state of a thread must not grow without bound. */
export const MAX_UNSETTLED = 100;

/** Idempotent for the same ids. After a deletion the thread is not found. */
const decide = (command: AgentThreadCommand, state: AgentThreadState): readonly AgentThreadEvent[] => {
  if (command.type === 'delete') {
    visible(state, command.principalId);
    return [{ type: 'AgentThreadDeleted', at: command.at }];
  }
  const { principalId, at, sourceGroupIds } = command;
  if (state.status === 'none' && command.starts) {
    const started = { type: 'AgentThreadStarted', principalId, at } as const;
    const position = { parentRunId: null, afterRunId: null, reach: sourceGroupIds };
    return [started, admitted(command, position)];
  }
  return admit(command, visible(state, principalId));
};

/** @throws DomainError not_found unless the thread exists and belongs to this principal */
export const visible = (state: AgentThreadState, principalId: string | null): OpenThread => {
  if (state.status !== 'open' || state.principalId !== principalId) throw noSuchThread();
  return state;
};

/** One error for a thread that does not exist, is deleted, or belongs to another principal. */
export const noSuchThread = (): DomainError => new DomainError('not_found', 'there is no such thread');

const admit = (command: AdmitRun, thread: OpenThread): readonly AgentThreadEvent[] => {
  const { runId, concurrency } = command;
  if (thread.unsettled.includes(runId)) return [];
  if (command.starts) throw new DomainError('conflict', 'this thread was started with another run');
  const busy = unsettledWithout(thread, command);
  if (busy.length > 0 && concurrency === 'reject') {
    throw new DomainError(
      'thread_busy',
      'another run of this thread is not over: wait for it, cancel it, or send concurrency enqueue',
    );
  }
  if (busy.length >= MAX_UNSETTLED) {
    throw new DomainError('thread_busy', `${MAX_UNSETTLED} runs of this thread are already waiting`);
  }
  const parentRunId = command.parentRunId === undefined ? thread.newestRunId : command.parentRunId;
  const reach = union(thread.reach, command.sourceGroupIds);
  return [admitted(command, { parentRunId, afterRunId: busy.at(-1) ?? null, reach })];
};

const admitted = (
  command: AdmitRun,
  position: Pick<RunAdmitted, 'parentRunId' | 'afterRunId' | 'reach'>,
): RunAdmitted => {
  const { type: _, starts: _starts, concurrency: _concurrency, ...facts } = command;
  return { ...facts, type: 'RunAdmitted', ...position };
};

export const agentThread: Decider<AgentThreadCommand, AgentThreadEvent, AgentThreadState, 'agentThread'> = {
  category: 'agentThread',
  initial,
  decide,
  evolve,
};
