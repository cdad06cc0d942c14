import { agentRun, type AgentRunCommand, type RunStatus } from '../../../domain/agent-run/index.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Abandoned } from '../../ports/leases.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { load, sweeperContext } from '../../jobs/loaded.ts';

export interface AbandonedRunDeps {
  /** Fails at once where the store is away: the others are not kept waiting. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
}

/** Where a run stands, as its view tells it. */
interface RunClaim {
  readonly status: RunStatus;
}

/** Ends a run whose worker is gone, or whose limit has passed. It is never executed again. The aggregate judges. */
export const endAbandonedRun = async (deps: AbandonedRunDeps, abandoned: Abandoned): Promise<void> => {
  const { executeAtOnce, clock, log, owner } = deps;
  const { id: runId } = abandoned;
  const found = await load(executeAtOnce, agentRun, agentRunStream(runId));
  const command = commandFor(abandoned, clock.now());
  if (found === null || command === null) return;
  await executeAtOnce(agentRun, agentRunStream(runId), command, sweeperContext(found, owner));
  log.warn('abandoned run', { runId, command: command.type });
};

const commandFor = ({ worker, overdue, claim }: Abandoned, at: number): AgentRunCommand | null => {
  const { status } = claim as RunClaim;
  if (status === 'QUEUED') return overdue ? { type: 'queue_timeout', at } : null;
  if (status === 'CANCELLING' && overdue) return { type: 'cancel_timeout', at };
  if (worker === 'alive') return { type: 'fail', code: 'timed_out', message: null, at };
  return { type: 'lease_lost', code: worker === 'stopped' ? 'worker_stopped' : 'worker_lost', at };
};
