import { agentRun, type AgentRunCommand, type AgentRunState } from '../../../domain/agent-run/index.ts';
import { together } from '../../../domain/shared/together.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { LastSeen, RetryingExecute } from '../../event-sourcing/execute.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';

/** Sends commands to the run, as `together` has it, and answers its state afterwards. One call after the other. */
export type WriteRun = (...commands: readonly AgentRunCommand[]) => Promise<AgentRunState>;

const agentRunTogether = together(agentRun);

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
  return async (...commands) => {
    lastSeen = await execute(agentRunTogether, agentRunStream(runId), commands, context, { lastSeen });
    return lastSeen.state;
  };
};
