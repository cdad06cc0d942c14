import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Recurrence } from '../../ports/recurrence.ts';
import { checkSchedule } from './check-schedule.ts';
import type { Scheduling } from './scheduling.ts';

export const createScheduling = (recurrence: Recurrence): Scheduling => ({
  schedule: async (rrule, at) => {
    const checked = await checkSchedule(recurrence, { rule: rrule, start: at, now: at });
    if (!checked.ok) throw new DomainError('invalid_rrule', checked.message);
    return { rrule, start: at };
  },

  occurrences: async ({ rrule, start }, after, limit) => {
    const found = await recurrence.occurrences({ rule: rrule, start, after, limit });
    if (found.ok) return found.at;
    throw new Error(`a stored schedule cannot be evaluated: ${found.message}`);
  },
});
