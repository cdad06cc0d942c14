import type { RulesFor } from '../../application/agents/runs/bodies.ts';
import type { CancelRun } from '../../application/agents/runs/cancel-run.ts';
import type { CreateRun } from '../../application/agents/runs/create-run.ts';
import type { DeleteThread } from '../../application/agents/runs/delete-thread.ts';
import type { AgentLists } from '../../application/agents/runs/lists.ts';
import type { ReadRun } from '../../application/agents/runs/read-run.ts';
import type { RunEvents } from '../../application/agents/runs/run-events.ts';
import type { RunExecutors } from '../../application/agents/runs/run-request.ts';
import type { AgentRunRows, AgentView } from '../../application/ports/agent-view.ts';
import type { WorkHandler } from '../../application/jobs/work-handler.ts';

/** Threads of agents, and what executes their runs. */
export interface AgentServices {
  RunExecutors: RunExecutors;
  AgentRules: RulesFor;
  AgentView: AgentView;
  AgentRunRows: AgentRunRows;
  CreateRun: CreateRun;
  CancelRun: CancelRun;
  ReadRun: ReadRun;
  DeleteThread: DeleteThread;
  AgentLists: AgentLists;
  RunEvents: RunEvents;
  AgentRuns: WorkHandler;
}
