import Type, { type TProperties, type TSchema } from 'typebox';
import type { Past } from '../../application/access/past.ts';
import type { JsonResponse } from './json-response.ts';
import { HttpProblem } from './problem.ts';
import { closed } from './schemas/common.ts';

/** The field that names a record in an answer. The records of agents have times as RFC 3339 date-times. */
export type RecordKey = 'id' | 'name' | 'principal_id' | 'thread_id' | 'run_id';

const AsOf = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description:
      'Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset ' +
      '(`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of ' +
      'an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted ' +
      'it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400',
  }),
);

/** The query of an operation that can show the past. */
export const withAsOf = (query: TSchema & { readonly properties?: TProperties } = Type.Object({})): TSchema =>
  closed({ ...query.properties, as_of: AsOf });

/** @throws HttpProblem invalid_request for `as_of` where there is no past to show */
export const refuseAsOf = (...parts: readonly unknown[]): void => {
  if (!parts.some((part) => typeof part === 'object' && part !== null && 'as_of' in part)) return;
  const message =
    'as_of is for reading records and their lists (GET). Contents have no history: a search, an answer and a text ' +
    'show the newest version, and nothing else is kept';
  throw new HttpProblem('invalid_request', message);
};

type Body = { readonly [field: string]: unknown };

/** The answer with `deleted_at` on each record that has ended since, and `erased` where that destroyed its texts. */
export const withDeletions = <Answer extends JsonResponse<number, unknown>>(
  answer: Answer,
  { rewinds: key = 'id', erases }: { readonly rewinds?: RecordKey; readonly erases?: true },
  past: Past,
): Answer => {
  const body = ('json' in answer ? JSON.parse(answer.json.toString()) : answer.body) as Body;
  const marked = (record: Body): Body => {
    // A run ends with its thread.
    const at = past.endedAt(String(record[key])) ?? past.endedAt(String(record['thread_id']));
    if (at === undefined) return record;
    const isDateTime = key === 'thread_id' || key === 'run_id';
    const deletedAt = isDateTime ? new Date(at).toISOString() : Math.floor(at / 1000);
    return { ...record, deleted_at: deletedAt, ...(erases === true && { erased: true }) };
  };
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((one: unknown) => (isRecord(one) ? marked(one) : one)) : value,
  ]);
  const { json: _, ...rest } = answer as Answer & { readonly json?: unknown };
  return { ...rest, body: key in body ? marked(body) : Object.fromEntries(fields) } as Answer;
};

const isRecord = (value: unknown): value is Body => typeof value === 'object' && value !== null;
