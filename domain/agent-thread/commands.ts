import type { RunFacts } from '../agent-run/index.ts';

/** What happens to a run while another one of its thread is not over. */
export type Concurrency = 'reject' | 'enqueue';

type Asked = Omit<RunFacts, 'threadId' | 'parentRunId' | 'afterRunId' | 'reach'>;
export interface AdmitRun extends Asked {
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
