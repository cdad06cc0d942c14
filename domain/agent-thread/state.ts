import type { AgentThreadEvent, RunAdmitted } from './events.ts';

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

export const initial: AgentThreadState = { status: 'none' };

export const evolve = (state: AgentThreadState, event: AgentThreadEvent): AgentThreadState => {
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
export const unsettledBut = (
  { unsettled }: Owned,
  { ended }: Pick<RunAdmitted, 'ended'>,
): readonly string[] => unsettled.filter((id) => !ended.includes(id));

const open = (state: AgentThreadState): OpenThread => {
  if (state.status === 'open') return state;
  throw new Error('an event of a thread that is not there');
};
