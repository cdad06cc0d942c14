import { agentRun, type AgentRunCommand, type AgentRunState } from '../../domain/agent-run/index.ts';
import type { CommandContext } from '../event-metadata.ts';
import type { RetryingExecute } from '../execute.ts';
import type { LastSeen } from '../folding/settled.ts';
import { agentRunStream } from '../streams.ts';

/** Sends a command to the run, and answers its state afterwards. One after the other. */
export type WriteRun = (command: AgentRunCommand) => Promise<AgentRunState>;

/**
 * Writes to a run as the worker that has it, who but for a cancel or a loss of its lease is the only one: so nothing is
 * read before a write unless somebody else has written since.
 *
 * @param found the run as it was when it was leased
 */
export const createRunWriter = (
  { execute }: { readonly execute: RetryingExecute },
  runId: string,
  context: CommandContext,
  found: LastSeen<AgentRunState>,
): WriteRun => {
  let lastSeen = found;
  return async (command) => {
    lastSeen = await execute(agentRun, agentRunStream(runId), command, context, { lastSeen });
    return lastSeen.state;
  };
};
