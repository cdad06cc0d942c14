import type { DueSchedule } from '../../../../application/ports/recurrence.ts';
import type { SchedulerDeps } from '../../../../application/sources/schedules/scheduler.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import { begun, claimed, completed, created } from '../../../domain/data-source/job-steps.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';

export const HOUR = 3_600_000;
export const SETTING = idOf(7);
const FINISHED = [created, claimed, begun, completed];

/** A data source, and one schedule of it that is due every full hour; `did`: what the scheduler did, in order. */
export const openSchedule = async (more: Partial<DueSchedule> = {}, steps = FINISHED) => {
  const parts = memoryParts();
  await parts.dataSource(idOf(1), steps);
  const first = Math.ceil(parts.time.now / HOUR) * HOUR;
  const one: DueSchedule = {
    ingestionSettingId: SETTING,
    tenant: 'acme',
    settingRevision: 0n,
    dataSourceId: idOf(1),
    schedule: { rrule: 'FREQ=HOURLY', start: first - HOUR },
    tickedUntil: 0,
    nextDue: first,
    ...more,
  };
  parts.time.now = first;
  const did: unknown[] = [];
  const due = [[one]];
  const deps: SchedulerDeps = {
    ...parts,
    schedules: {
      due: async (now, limit) => {
        did.push(['due', now, limit]);
        return due.shift() ?? [];
      },
      plan: async (...planned) => void did.push(['plan', ...planned]),
      forget: () => Promise.reject(new Error('nobody asks')),
    },
    scheduling: {
      schedule: () => Promise.reject(new Error('nobody asks')),
      occurrences: async (_, after) => {
        did.push(['after', after]);
        return after > first + 10 * HOUR ? [] : [Math.floor(after / HOUR) * HOUR + HOUR];
      },
    },
    log: {
      info: () => {},
      warn: (...told) => void did.push(['warn', ...told]),
      error: (...told) => void did.push(['error', ...told]),
    },
    idle: async (ms) => void did.push(['idle', ms]),
  };
  const jobs = async () =>
    (await parts.stored(dataSourceStream(idOf(1)))).filter(({ type }) => type === 'JobQueued').slice(1);
  return { ...parts, deps, due, one, did, first, jobs };
};
