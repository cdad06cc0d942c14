import type { Decider } from '../shared/decider.ts';

/**
 * An `Idempotency-Key` of an agent run is a stream of its own, for each tenant and principal: it tells which run the key
 * leads to. Nothing of what was asked is in it, and no hash of that, which could be guessed: it lies in the vault.
 */
export interface AgentRunKeyClaimed {
  readonly type: 'AgentRunKeyClaimed';
  readonly threadId: string;
  readonly runId: string;
  /** Unix milliseconds. */
  readonly at: number;
}
/** One of the requests that held the key was refused. */
export interface AgentRunKeyReleased {
  readonly type: 'AgentRunKeyReleased';
  readonly runId: string;
  readonly at: number;
}
export type AgentRunKeyEvent = AgentRunKeyClaimed | AgentRunKeyReleased;

export interface ClaimRunKey extends Omit<AgentRunKeyClaimed, 'type'> {
  readonly type: 'claim';
  /** The run that the key led to, and that will never be; null: none. */
  readonly insteadOf: string | null;
}
export interface ReleaseRunKey extends Omit<AgentRunKeyReleased, 'type'> {
  readonly type: 'release';
}

export type AgentRunKeyState = {
  readonly threadId: string;
  readonly runId: string;
  /** Requests with these ids that were not refused. None: the key is free. */
  readonly holders: number;
} | null;

/** Of those that claim at the same time one wins; the others find it in the state. */
export const agentRunKey: Decider<
  ClaimRunKey | ReleaseRunKey,
  AgentRunKeyEvent,
  AgentRunKeyState,
  'idempotency'
> = {
  category: 'idempotency',
  initial: null,

  evolve: (state, event) => {
    if (event.type === 'AgentRunKeyClaimed') {
      const { threadId, runId } = event;
      return { threadId, runId, holders: state?.runId === runId ? state.holders + 1 : 1 };
    }
    if (state === null) throw new Error(`${event.type} before AgentRunKeyClaimed`);
    return { ...state, holders: state.holders - 1 };
  },

  decide: (command, state) => {
    const { runId, at } = command;
    if (command.type === 'release') {
      const holds = state !== null && state.runId === runId && state.holders > 0;
      return holds ? [{ type: 'AgentRunKeyReleased', runId, at }] : [];
    }
    const taken =
      state !== null && state.holders > 0 && state.runId !== runId && state.runId !== command.insteadOf;
    return taken ? [] : [{ type: 'AgentRunKeyClaimed', threadId: command.threadId, runId, at }];
  },
};
