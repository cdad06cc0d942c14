import {
  MAX_OCCURRENCES,
  type OccurrenceQuery,
  type Occurrences,
  type Recurrence,
} from '../../application/ports/recurrence.ts';
import { formatBasicDateTime } from '../../domain/shared/civil-time.ts';
import { parseRecurrenceRule } from '../../domain/recurrence/parse-rule.ts';
import {
  type RecurrenceStart,
  type RefusedRecurrence,
  quoted,
  refused,
} from '../../domain/recurrence/recurrence-rule.ts';
import { knownTimeZone, parseStart } from '../../domain/recurrence/rule-parts.ts';
import { createBoundedWorker } from './bounded-worker.ts';
import type { Evaluation } from './evaluate.ts';
import { createZoneClock } from './zone-clock.ts';

export interface RecurrenceOptions {
  /** time for one evaluation, in milliseconds */
  readonly deadlineMs?: number;
}

const HEAP_MB = 64;

/** ECMA-262, time values: 100 million days on either side of 1970. */
const LARGEST_INSTANT = 8.64e15;

/**
 * Recurrence by rrule in one worker thread, asked one query at a time. The thread starts with the first query, is
 * replaced when an evaluation takes longer than `deadlineMs` or more than `HEAP_MB`, and does not keep the process
 * alive while it is idle.
 */
export function createRecurrence({ deadlineMs = 500 }: RecurrenceOptions = {}): Recurrence {
  const script = new URL('./recurrence.worker.ts', import.meta.url);
  const worker = createBoundedWorker<Evaluation, number[]>({ script, deadlineMs, heapMb: HEAP_MB });
  return {
    occurrences: async (query) => {
      const evaluation = readQuery(query);
      if ('ok' in evaluation) {
        return { ok: false, reason: 'invalid', refusal: evaluation.reason, message: evaluation.message };
      }
      const reply = await worker.ask(evaluation);
      return reply.answered
        ? { ok: true, at: reply.answer.map((second) => second * 1000) }
        : tooCostly(deadlineMs);
    },
    close: () => worker.close(),
  };
}

function tooCostly(deadlineMs: number): Occurrences {
  return {
    ok: false,
    reason: 'too_costly',
    message: `The rule was not evaluated within ${deadlineMs} ms: use a simpler one, or a later start with COUNT.`,
  };
}

function readQuery(query: OccurrenceQuery): Evaluation | RefusedRecurrence {
  const { after, before = Infinity, limit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_OCCURRENCES) {
    throw new RangeError(`limit is ${limit}, not a whole number from 1 to ${MAX_OCCURRENCES}`);
  }
  const instants = [query.start, after, before === Infinity ? 0 : before];
  if (!instants.every((instant) => Math.abs(instant) <= LARGEST_INSTANT)) {
    throw new RangeError('start, after or before is no instant');
  }
  const parsed = parseRecurrenceRule(query.rule);
  if (!parsed.ok) return parsed;
  const start = parsed.rule.start ?? startAt(query.start, query.zone ?? 'UTC');
  if ('ok' in start) return start;
  return {
    rule: parsed.rule,
    start,
    after: Math.floor(after / 1000),
    before: Math.ceil(before / 1000),
    limit,
  };
}

function startAt(instant: number, zone: string): RecurrenceStart | RefusedRecurrence {
  const known = knownTimeZone(zone);
  if (known === undefined) return refused('time_zone_unknown', `The time zone ${quoted(zone)} is unknown.`);
  const local = createZoneClock(known).toLocal(Math.floor(instant / 1000));
  return parseStart(`;TZID=${known}:${formatBasicDateTime(local)}`);
}
