import type { RulesFor } from '../../application/agent/bodies.ts';
import type { CancelRun } from '../../application/agent/cancel-run.ts';
import type { CreateRun } from '../../application/agent/create-run.ts';
import type { DeleteThread } from '../../application/agent/delete-thread.ts';
import type { AgentLists } from '../../application/agent/lists.ts';
import type { ReadRun } from '../../application/agent/read-run.ts';
import type { RunEvents } from '../../application/agent/run-events.ts';
import type { RunExecutors } from '../../application/agent/run-request.ts';
import type { AgentRunRows, AgentView } from '../../application/ports/agent-view.ts';
import type { WorkHandler } from '../../application/work/work-handler.ts';

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
