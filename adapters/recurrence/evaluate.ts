import { parseBasicDateTime, SECONDS_PER_DAY } from '../../domain/shared/civil-time.ts';
import type { RecurrenceRule, RecurrenceStart } from '../../domain/recurrence/recurrence-rule.ts';
import { localTimes } from './local-times.ts';
import { createZoneClock } from './zone-clock.ts';

/** All instants in seconds since 1970-01-01T00:00:00Z. */
export interface Evaluation {
  readonly rule: RecurrenceRule;
  readonly start: RecurrenceStart;
  /** exclusive */
  readonly after: number;
  /** exclusive */
  readonly before: number;
  readonly limit: number;
}

const HORIZON = 36_525 * SECONDS_PER_DAY;
/** More than any local clock is off UTC, or was ever put back (a day, at the date line). */
const LARGEST_SHIFT = 2 * SECONDS_PER_DAY;

/**
 * The occurrences between `after` and `before`, as the port `Recurrence` defines them. Runs to its end on the
 * calling thread. Without COUNT it begins shortly before `after`, however long ago the start was.
 */
export function evaluate({ rule, start, after, before, limit }: Evaluation): number[] {
  const clock = createZoneClock(start.zone);
  const startLocal = parseBasicDateTime(start.local);
  if (startLocal === undefined) throw new RangeError(`no local date and time: ${start.local}`);
  // nothing lies before the start, and the offsets of years long gone need not be known
  const afterLocal = clock.toLocal(Math.max(after, startLocal - LARGEST_SHIFT));
  const from = rule.count === undefined ? Math.max(startLocal, afterLocal - LARGEST_SHIFT) : startLocal;
  const to = Math.min(Math.max(startLocal, afterLocal) + HORIZON, before + LARGEST_SHIFT);
  const found: number[] = [];
  let counted = 0;
  for (const local of localTimes(rule, startLocal, from, to)) {
    const instant = clock.toInstant(local);
    if (instant === undefined) continue;
    counted += 1;
    if (instant > (rule.until ?? Infinity) || counted > (rule.count ?? Infinity) || instant >= before) break;
    if (instant <= after) continue;
    found.push(instant);
    if (found.length >= limit) break;
  }
  return found;
}
