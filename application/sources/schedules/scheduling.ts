import type { Schedule } from '../../../domain/ingestion-setting/index.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRefusal, RecurrenceRule } from '../../../domain/recurrence/recurrence-rule.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { MAX_OCCURRENCES, type OccurrenceQuery, type Recurrence } from '../../ports/recurrence.ts';

export interface Scheduling {
  /**
   * Checks a rule and fixes its start.
   *
   * @throws DomainError invalid_rrule with the reason and what to do
   */
  readonly schedule: (rrule: string, at: number) => Promise<Schedule>;
  /** Occurrences after `after`, in Unix milliseconds, ascending, at most `limit`; empty if none follows. */
  readonly occurrences: (schedule: Schedule, after: number, limit: number) => Promise<readonly number[]>;
}

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

/** All instants are Unix milliseconds. */
export interface ScheduleToCheck {
  readonly rule: string;
  /** The DTSTART of a rule that has none. */
  readonly start: number;
  readonly now: number;
}

export type ScheduleCheck =
  | { readonly ok: true; readonly rule: RecurrenceRule; readonly next: number }
  | {
      readonly ok: false;
      readonly reason: RecurrenceRefusal | 'too_frequent' | 'never_fires' | 'too_costly';
      readonly message: string;
    };

const SHORTEST_GAP_MS = 15 * 60_000;
const FIRST_COUNT = 100;
/**
 * Covers every month and both changes of the clock. At most 96 occurrences a day, so `MAX_OCCURRENCES` covers them all.
 */
const LOOK_AHEAD_MS = 400 * 86_400_000;

/**
 * Checks that a schedule is acceptable: the rule is well-formed, fires after `now`, and leaves at least 15 minutes
 * between occurrences. It checks the next 100 occurrences and all those of the next 400 days, to include days that meet
 * at the end of a month and hours that a change of the clock skips. An occurrence at `now` is past, because the
 * schedule is created then.
 */
export async function checkSchedule(
  recurrence: Recurrence,
  { rule: text, start, now }: ScheduleToCheck,
): Promise<ScheduleCheck> {
  const parsed = parseRecurrenceRule(text);
  if (!parsed.ok) return parsed;
  const query = { rule: text, start, after: now };
  const soon = await evaluate(recurrence, { ...query, limit: FIRST_COUNT });
  if ('ok' in soon) return soon;
  const next = soon[0];
  if (next === undefined) {
    return {
      ok: false,
      reason: 'never_fires',
      message: 'The rule never fires again: move UNTIL, raise COUNT, or name days and times that exist.',
    };
  }
  const later = await evaluate(recurrence, { ...query, before: now + LOOK_AHEAD_MS, limit: MAX_OCCURRENCES });
  if ('ok' in later) return later;
  return { ok: true, rule: parsed.rule, next };
}

/** The occurrences, or the reason for which the schedule is refused. */
async function evaluate(
  recurrence: Recurrence,
  query: OccurrenceQuery,
): Promise<readonly number[] | Extract<ScheduleCheck, { ok: false }>> {
  const found = await recurrence.occurrences(query);
  if (!found.ok) {
    return {
      ok: false,
      reason: found.reason === 'invalid' ? found.refusal : found.reason,
      message: found.message,
    };
  }
  const index = found.at.findIndex((at, i) => at - (found.at[i - 1] ?? -Infinity) < SHORTEST_GAP_MS);
  const [first, second] = [found.at[index - 1], found.at[index]];
  if (first === undefined || second === undefined) return found.at;
  return {
    ok: false,
    reason: 'too_frequent',
    message: `The rule fires at ${iso(first)} and again at ${iso(second)}: leave at least 15 minutes between.`,
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
