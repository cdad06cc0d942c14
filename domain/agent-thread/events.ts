import type { RunFacts } from '../agent-run/index.ts';

/** A thread knows the order of its runs, and which may still be under way; what each did is told by its own stream. */
export interface AgentThreadStarted {
  readonly type: 'AgentThreadStarted';
  /** The end user on whose behalf it is held; null: none. Whoever names another one does not find it. */
  readonly principalId: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
/** From here on the run is part of the thread, and is owed, whether or not its own stream has begun. */
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
