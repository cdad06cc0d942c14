import { dataSource } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { DueSchedule, DueSchedules } from '../../ports/recurrence.ts';
import { type EventStore, EventStoreUnavailable, OutcomeUnknown } from '../../ports/event-store.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import type { Scheduling } from './scheduling.ts';

export interface SchedulerDeps {
  readonly schedules: DueSchedules;
  readonly scheduling: Scheduling;
  readonly store: EventStore;
  readonly execute: Execute;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 1_000;
const AT_ONCE = 50;

/**
 * Sends ticks until `signal` aborts. Several schedulers may run at once, because a data source handles each occurrence
 * once.
 */
export const runScheduler = async (deps: SchedulerDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    let found = 0;
    try {
      found = await tickDue(deps);
    } catch (error) {
      deps.log.warn('the scheduler will retry', { error: (error as Error).message });
    }
    if (found < AT_ONCE) await deps.idle(POLL_MS, signal);
  }
};

/**
 * One poll: sends ticks for due schedules and plans their next occurrences. A single tick makes up for all occurrences
 * missed while no scheduler ran, because the next occurrence is searched after now. Returns the number of schedules
 * handled.
 *
 * @throws EventStoreUnavailable, OutcomeUnknown: the remaining schedules stay due
 */
export const tickDue = async (deps: SchedulerDeps): Promise<number> => {
  const due = await deps.schedules.due(deps.clock.now(), AT_ONCE);
  for (const one of due) {
    try {
      await handle(deps, one);
    } catch (error) {
      // Not the fault of a schedule: due schedules stay due until the store is available again.
      if (error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown) throw error;
      const fields = { ingestionSettingId: one.ingestionSettingId, error: (error as Error).message };
      deps.log.error('schedule not handled', fields);
      // Postponed, so that one broken schedule does not starve the others.
      await deps.schedules.plan(one.ingestionSettingId, one.settingRevision, deps.clock.now() + 300_000);
    }
  }
  return due.length;
};

const handle = async (deps: SchedulerDeps, one: DueSchedule): Promise<void> => {
  const now = deps.clock.now();
  const dueAt = one.nextDue ?? (await firstAfter(deps, one, Math.max(one.schedule.start, one.tickedUntil)));
  if (dueAt === null || dueAt > now) return plan(deps, one, dueAt);
  if (!(await isCurrent(deps, one))) return;
  await tick(deps, one, dueAt, now);
  await plan(deps, one, await firstAfter(deps, one, now));
};

/**
 * The view may lag behind a change of the schedule, and an outdated schedule must not fire. A later poll sees the
 * change.
 */
const isCurrent = async (
  { store }: SchedulerDeps,
  { ingestionSettingId, settingRevision }: DueSchedule,
): Promise<boolean> => {
  const newer = await store.readStream(ingestionSettingStream(ingestionSettingId), settingRevision + 1n, 1);
  return newer.length === 0;
};

const plan = ({ schedules }: SchedulerDeps, one: DueSchedule, next: number | null): Promise<void> =>
  schedules.plan(one.ingestionSettingId, one.settingRevision, next);

const firstAfter = async (
  { scheduling }: SchedulerDeps,
  { schedule }: DueSchedule,
  after: number,
): Promise<number | null> => (await scheduling.occurrences(schedule, after, 1))[0] ?? null;

const tick = async (deps: SchedulerDeps, one: DueSchedule, dueAt: number, at: number): Promise<void> => {
  const jobId = deps.ids.newId();
  const context: CommandContext = {
    tenant: one.tenant,
    actor: { kind: 'schedule', id: one.ingestionSettingId },
    correlationId: jobId,
    causationId: one.ingestionSettingId,
  };
  try {
    const stream = dataSourceStream(one.dataSourceId);
    await deps.execute(dataSource, stream, { type: 'tick', jobId, dueAt, at }, context);
  } catch (error) {
    // A data source that was deleted meanwhile needs no tick.
    if (!(error instanceof DomainError)) throw error;
  }
};
