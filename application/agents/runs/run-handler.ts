import {
  type AgentRun,
  agentRun,
  isOver,
  type AgentRunCommand,
  type AgentRunEvent,
  type RunStatus,
} from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { DomainEvent } from '../../event-sourcing/aggregates.ts';
import type { AgentRunRows } from '../../ports/agent-view.ts';
import type { Tracing, Logger } from '../../ports/logger.ts';
import type { Deferral, Abandoned } from '../../ports/leases.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { load, type Loaded, sweeperContext } from '../../jobs/load-work.ts';
import type { LeasedWork, StopReason, WorkHandler } from '../../jobs/work-handler.ts';
import { executeRun, type ExecuteRunDeps } from './execute-run.ts';
import { AGENT_RUN } from './kinds-of-work.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';

interface AbandonedRunDeps {
  /** Fails at once when the store is unavailable, so that other abandoned runs do not wait. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
}

/** The status of a run in its view. */
interface RunClaim {
  readonly status: RunStatus;
}

/**
 * Ends a run whose worker is lost or whose time limit has passed. It is never executed again. The aggregate decides.
 */
const endAbandonedRun = async (deps: AbandonedRunDeps, abandoned: Abandoned): Promise<void> => {
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

export interface RunHandlerDeps extends ExecuteRunDeps, AbandonedRunDeps {
  readonly tracing: Tracing;
  readonly rows: AgentRunRows;
}

/** Executes agent runs, each at most once. An interrupted run is recorded as failed; its tools may have acted. */
export const createRunHandler = (deps: RunHandlerDeps): WorkHandler => ({
  kind: AGENT_RUN,
  idName: 'runId',
  run: async (held) => {
    const { id } = held.lease;
    const found = (await loadRun(deps, id)) ?? (await startAdmitted(deps, id));
    if (held.isLost()) return 'lost';
    if (found === null) return 'gone';
    if (found.state.status !== 'QUEUED') return RETRY_LATER;
    if (!(await isNext(deps, found.state))) return 'done';
    const attributes = { 'knowledger.run_id': id, 'knowledger.thread_id': found.state.threadId };
    await deps.tracing.inSpan('agent run', found.metadata, attributes, (traceparent) =>
      watched(deps, held, found, traceparent),
    );
    return RETRY_LATER;
  },
  abandoned: (found) => endAbandonedRun(deps, found),
  cleanUp: () => deps.rows.forgetLeases(),
});

/**
 * A run is worked on once. This deferral prevents workers from taking it again before the view shows the new status.
 */
const RETRY_LATER: Deferral = { ms: 5_000, transient: true };

interface LoadedRun extends Loaded<AgentRun> {
  readonly id: string;
}

const loadRun = async ({ execute }: RunHandlerDeps, id: string): Promise<LoadedRun | null> => {
  const found = await load(execute, agentRun, agentRunStream(id));
  return found === null || found.state.status === 'none' ? null : { ...found, state: found.state, id };
};

/** Starts the stream of a run whose admitting process died before it could do so. */
const startAdmitted = async (deps: RunHandlerDeps, id: string): Promise<LoadedRun | null> => {
  const admitted = await deps.rows.admitted(id);
  if (admitted === null) return null;
  const { facts, context } = admitted;
  await deps.execute(agentRun, agentRunStream(id), { type: 'queue', ...facts }, context);
  return loadRun(deps, id);
};

/**
 * Whether the run that this one waits for has ended. Checks the streams, since the view may be ahead of them or lag. A
 * run that was ended before it started does not prove that the runs before it have ended, so those are checked too.
 */
const isNext = async (deps: RunHandlerDeps, { afterRunId }: AgentRun): Promise<boolean> => {
  for (let id = afterRunId; id !== null;) {
    const before = await loadRun(deps, id);
    if (before === null || !isOver(before.state.status)) return false;
    id = before.state.startedAt === null ? before.state.afterRunId : null;
  }
  return true;
};

const watched = async (
  deps: RunHandlerDeps,
  { lease, watched: watch }: LeasedWork,
  found: LoadedRun,
  traceparent: string | undefined,
): Promise<void> => {
  const claim = {
    stream: agentRunStream(lease.id),
    revision: found.revision,
    stopReason,
    graceMs: deps.graceMs,
  };
  await watch(claim, (signal, assertLeaseHeld, yieldSlot) =>
    executeRun(deps, { ...found, traceparent, signal, assertLeaseHeld, yieldSlot }).catch(
      (error: unknown) => {
        // Another process has ended the run, or its thread was deleted.
        if (!(error instanceof DomainError)) throw error;
        deps.log.info('nothing to run', { runId: lease.id, reason: error.message });
      },
    ),
  );
};

const stopReason = ({ type }: DomainEvent): StopReason | undefined => STOPS[type as AgentRunEvent['type']];

/** Why a worker stops when another process has written this event of the run; undefined if it continues. */
const STOPS: { readonly [T in AgentRunEvent['type']]: StopReason | undefined } = {
  RunQueued: undefined,
  RunStarted: undefined,
  RunHandedOver: undefined,
  RunEmitted: undefined,
  RunSucceeded: undefined,
  RunFailed: 'fenced',
  RunCancelRequested: 'canceled',
  RunCancelled: 'fenced',
};
