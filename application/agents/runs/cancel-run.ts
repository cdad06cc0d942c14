import { agentRun, isOver } from '../../../domain/agent-run/index.ts';
import { agentThread } from '../../../domain/agent-thread/decider.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { agentRunStream, agentThreadStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import type { EventFeed, Position } from '../../ports/event-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RowOverlay } from '../../ports/read-your-writes.ts';
import type { Vault } from '../../ports/vault.ts';
import { loadRun, loadVisibleRun, loadVisibleThread, mustReachThread } from './context.ts';
import { type ReadRecordDeps, type RunRecord, readRecord } from './read-run.ts';

export interface CancelRunDeps extends ReadRecordDeps {
  readonly execute: Execute;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, 'follow'>;
  /** Creates a signal that aborts after `ms` milliseconds. */
  readonly after: (ms: number) => AbortSignal;
}
export interface Cancelled extends Written<RunRecord> {
  /** Whether the run had already ended. */
  readonly wasOver: boolean;
}
export type CancelRun = (
  caller: Caller,
  id: string,
  principalId: string | null,
  waitMs: number,
  gone: AbortSignal,
) => Promise<Cancelled>;

/**
 * Requests the cancellation of a run; a queued run is cancelled at once. Then waits until the run has ended, for up to
 * `waitMs` milliseconds or until `gone` aborts. Does not change a run that has ended.
 *
 * @throws DomainError not_found
 */
export const createCancelRun =
  (deps: CancelRunDeps): CancelRun =>
  async (caller, id, principalId, waitMs, gone) => {
    const { run } = await loadVisibleRun(deps, caller, id, principalId);
    const wasOver = isOver(run.status);
    const command = { type: 'cancel', at: deps.clock.now() } as const;
    const done = await deps.execute(agentRun, agentRunStream(id), command, caller.context);
    const { state } = done;
    if (waitMs > 0 && state.status !== 'none' && !isOver(state.status)) {
      await untilOver(deps, caller, id, done.position, AbortSignal.any([gone, deps.after(waitMs)]));
    }
    const { record, position } = await readRecord(deps, caller, id, principalId);
    return { record, position, changed: done.events.length > 0, wasOver };
  };

const untilOver = async (
  deps: CancelRunDeps,
  { tenant }: Caller,
  id: string,
  from: Position,
  signal: AbortSignal,
): Promise<void> => {
  for await (const _ of deps.feed.follow(from, { stream: agentRunStream(id) }, { signal })) {
    const { status } = await loadRun(deps, tenant, id);
    if (status !== 'none' && isOver(status)) return;
  }
};

export interface DeleteThreadDeps {
  readonly execute: Execute;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly overlay: RowOverlay;
  readonly log: Logger;
}
export type DeleteThread = (
  caller: Caller,
  id: string,
  principalId: string | null,
) => Promise<Written<string>>;

/**
 * Destroys the key of all texts of the thread and its runs, records the deletion, and cancels the runs that have not
 * ended. If it is interrupted, the thread can no longer be read, and the next call completes the deletion.
 *
 * @throws DomainError not_found
 */
export const createDeleteThread =
  (deps: DeleteThreadDeps): DeleteThread =>
  async (caller, id, principalId) => {
    const { unsettled } = await loadVisibleThread(deps, caller, id, principalId);
    const stream = agentThreadStream(id);
    await deps.vault.destroy(caller.tenant, stream);
    const command = { type: 'delete', principalId, at: deps.clock.now() } as const;
    const done = await deps.execute(agentThread, stream, command, caller.context, {
      guard: mustReachThread(caller),
    });
    const revision = done.revision === 'none' ? 0n : done.revision;
    const mark = { id, tenant: caller.tenant, revision };
    await deps.overlay.remove('agent_thread', mark, done.position);
    await deps.overlay.remove('agent_run', mark, done.position);
    await Promise.all(unsettled.map((runId) => stop(deps, caller, runId)));
    return { record: id, position: done.position, changed: true };
  };

/**
 * Cancels a run of the deleted thread. A run that is not cancelled fails later, because the key of its thread is gone.
 */
const stop = async ({ execute, clock, log }: DeleteThreadDeps, caller: Caller, runId: string) => {
  const { signal: _gone, ...context } = caller.context;
  const command = { type: 'cancel', at: clock.now() } as const;
  await execute(agentRun, agentRunStream(runId), command, context).catch((error: unknown) => {
    log.info('a run of a deleted thread could not be cancelled', { runId, error: (error as Error).message });
  });
};
