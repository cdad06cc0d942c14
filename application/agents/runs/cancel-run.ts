import { agentRun, isOver } from '../../../domain/agent-run/index.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { EventFeed, Position } from '../../ports/event-store.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import type { Written } from '../../event-sourcing/written.ts';
import { loadRun, loadVisibleRun } from './load.ts';
import { readRecord, type ReadRecordDeps, type RunRecord } from './read-run.ts';

export interface CancelRunDeps extends ReadRecordDeps {
  readonly execute: Execute;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, 'follow'>;
  /** Aborts after so many milliseconds. */
  readonly after: (ms: number) => AbortSignal;
}
export interface Cancelled extends Written<RunRecord> {
  /** It was over before. */
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
 * Asks a run to stop; one that waits is cancelled at once. Then waits until it is over, for `waitMs` at most, or until
 * `gone` aborts. Of a run that is over nothing changes.
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
