import type { Decider } from '../shared/decider.ts';

/**
 * An `Idempotency-Key` of an agent run has its own stream per tenant and principal, which records the run of the key.
 * It contains neither the request nor its hash, from which a short request could be guessed; the fingerprint is in the
 * vault.
 */
export interface AgentRunKeyClaimed {
  readonly type: 'AgentRunKeyClaimed';
  readonly threadId: string;
  readonly runId: string;
  /** Unix milliseconds. */
  readonly at: number;
}
/** A request that held the key was refused. */
export interface AgentRunKeyReleased {
  readonly type: 'AgentRunKeyReleased';
  readonly runId: string;
  readonly at: number;
}
export type AgentRunKeyEvent = AgentRunKeyClaimed | AgentRunKeyReleased;

export interface ClaimRunKey extends Omit<AgentRunKeyClaimed, 'type'> {
  readonly type: 'claim';
  /** The current run of the key, which will never start; null for none. */
  readonly insteadOf: string | null;
}
export interface ReleaseRunKey extends Omit<AgentRunKeyReleased, 'type'> {
  readonly type: 'release';
}

export type AgentRunKeyState = {
  readonly threadId: string;
  readonly runId: string;
  /** Number of requests with these ids that were not refused; 0 when the key is free. */
  readonly holders: number;
} | null;

/** Of concurrent claims one succeeds; the others find its run in the state. */
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
