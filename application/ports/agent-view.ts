import type { RunFacts, RunStatus } from '../../domain/agent-run/index.ts';
import type { CommandContext } from './event-metadata.ts';
import type { Page, PageRequest } from './page.ts';

/** One thread as it is listed: nothing of what was said. */
export interface AgentThreadRow {
  readonly id: string;
  readonly tenant: string;
  readonly principalId: string | null;
  /** The source groups of which its runs may tell; null: every one. */
  readonly reach: readonly string[] | null;
  /** Null only before the first run. */
  readonly firstRunId: string | null;
  /** Whether the first run has a title. */
  readonly titled: boolean;
  readonly runCount: number;
  /** Unix milliseconds. `updatedAt`: when the newest run was admitted. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: bigint;
}

/** One run as it is listed, without its bodies. */
export interface AgentRunRow extends RunFacts {
  readonly id: string;
  readonly tenant: string;
  readonly status: RunStatus;
  readonly statusSince: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly contextStartRunId: string | null;
  readonly contextTruncated: boolean;
  /** Why it came to nothing; null: it did not. */
  readonly errorCode: string | null;
  /** Under which it was admitted. */
  readonly context: CommandContext;
  /** In the stream of the run; -1: it was admitted, and its stream has not begun. */
  readonly revision: bigint;
}

/** Where a run stands in its thread. */
export type AgentTreeRow = Pick<AgentRunRow, 'id' | 'threadId' | 'parentRunId' | 'status' | 'titled' | 'at'>;

/** All given parts must match. */
export interface AgentRunFilter {
  readonly threadId?: string;
  readonly status?: RunStatus;
}

/**
 * Lists of threads and runs. Eventually consistent, see ReadGate; but those of deleted threads are absent at once, see
 * RowOverlay. All are of one principal (null: of none); `only` leaves those that may tell of no other source groups.
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
  /** All runs of a thread, the eldest first. */
  readonly runsOf: (tenant: string, threadId: string) => Promise<readonly AgentTreeRow[]>;
}

/** What workers look up of runs. */
export interface AgentRunRows {
  /** With what a run was admitted, and under which context; null: the view knows no such run. */
  readonly admitted: (
    id: string,
  ) => Promise<{ readonly facts: RunFacts; readonly context: CommandContext } | null>;
  /** Forgets leases on runs that ran out long ago, of workers that were lost, and those whose pause is over. */
  readonly forgetLeases: () => Promise<void>;
}
