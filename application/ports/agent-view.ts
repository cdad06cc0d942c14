import type { RunFacts, RunStatus } from '../../domain/agent-run/index.ts';
import type { CommandContext } from './event-metadata.ts';
import type { Page, PageRequest } from './page.ts';

/** A thread as it is listed, without the texts of its messages. */
export interface AgentThreadRow {
  readonly id: string;
  readonly tenant: string;
  readonly principalId: string | null;
  /** The source groups that its runs may reveal; null: all. */
  readonly reach: readonly string[] | null;
  /** Null before the first run. */
  readonly firstRunId: string | null;
  /** Whether the first run has a title. */
  readonly titled: boolean;
  readonly runCount: number;
  /** Unix milliseconds. `updatedAt` is the time at which the newest run was admitted. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: bigint;
}

/** A run as it is listed, without its texts. */
export interface AgentRunRow extends RunFacts {
  readonly id: string;
  readonly tenant: string;
  readonly status: RunStatus;
  readonly statusSince: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly contextStartRunId: string | null;
  readonly contextTruncated: boolean;
  /** The body with the messages of a run that succeeded; null for other runs. */
  readonly messagesBodyId: string | null;
  /** Why the run failed; null if it did not. */
  readonly errorCode: string | null;
  /** The context in which the run was admitted. */
  readonly context: CommandContext;
  /** Revision in the stream of the run. -1: the run was admitted, but its stream is still empty. */
  readonly revision: bigint;
}

/** What a run gives to those below it. */
export type AgentLineRow = Pick<AgentRunRow, 'id' | 'parentRunId' | 'inputHistoryMode' | 'messagesBodyId'>;

/** The position of a run in the tree of its thread. */
export type AgentTreeRow = Pick<AgentRunRow, 'id' | 'threadId' | 'parentRunId' | 'status' | 'titled' | 'at'>;

/** All given conditions must hold. */
export interface AgentRunFilter {
  readonly threadId?: string;
  readonly status?: RunStatus;
}

/**
 * Lists threads and runs. Eventually consistent (see ReadGate), but a deleted thread and its runs disappear at once
 * (see RowOverlay). Every list is limited to one principal (null: to no principal). With `only`, it contains only
 * threads and runs that reveal no other source groups.
 */
export interface AgentView {
  /** Newest first. `after` may be any id. */
  readonly threads: (
    tenant: string,
    principalId: string | null,
    page: PageRequest,
    only: readonly string[] | null,
  ) => Promise<Page<AgentThreadRow>>;
  /** Newest first. `after` may be any id. */
  readonly runs: (
    tenant: string,
    principalId: string | null,
    page: PageRequest,
    only: readonly string[] | null,
    filter: AgentRunFilter,
  ) => Promise<Page<AgentRunRow>>;
  /**
   * The run and those above it, nearest first, at most `limit`. Ends early at a run that the view does not contain yet.
   */
  readonly lineOf: (tenant: string, runId: string, limit: number) => Promise<readonly AgentLineRow[]>;
  /** All runs of a thread, oldest first. */
  readonly runsOf: (tenant: string, threadId: string) => Promise<readonly AgentTreeRow[]>;
}

/** Look-ups of runs for workers. */
export interface AgentRunRows {
  /** The facts and the context with which a run was admitted; null: the view does not know the run. */
  readonly admitted: (
    id: string,
  ) => Promise<{ readonly facts: RunFacts; readonly context: CommandContext } | null>;
  /** Deletes leases of lost workers that expired long ago, and leases whose pause is over. */
  readonly forgetLeases: () => Promise<void>;
}
