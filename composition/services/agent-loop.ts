import type { RunExecutor } from '../../application/agents/runs/run-executor.ts';
import type { ConnectedAgentRuntime } from '../../adapters/models/agent-core/agent-runtime.ts';
import type { ConnectedToolSource } from '../../adapters/models/tool-server/tool-source.ts';
import type { RunModels } from '../run-models.ts';

/** How runs of agents are executed. */
export interface AgentLoopServices {
  RunModels: RunModels;
  /** Tools of other servers. */
  ToolServers: ConnectedToolSource;
  /** By the loop of this service. */
  LocalExecutor: RunExecutor;
  /** Runtimes that somebody else operates. */
  AgentRuntime: ConnectedAgentRuntime;
  /** By those runtimes. */
  ManagedExecutor: RunExecutor;
}
