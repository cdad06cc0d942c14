import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { ReadChanges, RecordChange } from '../../application/history/record-changes.ts';
import { traceIdOf } from '../../domain/trace-context.ts';
import { seconds } from './data-sources/kind.ts';
import { ok } from './json-response.ts';
import { cursorOf, paginationOf } from './parameters.ts';
import { isPosition } from './request-headers.ts';
import { HttpProblem } from './problem.ts';
import { type AnyRoute, route, STREAMED } from './route.ts';
import { closed, CursorPagination, Limit, UnixSeconds } from './schemas/common.ts';
import { Actor } from './schemas/event.ts';

const Value = (description: string) => Type.Optional(Type.Unknown({ description }));

export const RecordChanges = Type.Object({
  changes: Type.Array(
    Type.Object({
      position: Type.String({
        description: 'Place of the event in the log: the record as of it is the one after',
      }),
      stream: Type.String(),
      revision: Type.Integer({ minimum: 0, description: 'Number of the event within its stream' }),
      type: Type.String(),
      time: UnixSeconds,
      actor: Actor,
      trace_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
      fields: Type.Array(
        Type.Object({
          path: Type.String({
            description: 'JSON Pointer (RFC 6901) into the record; empty: the whole record',
          }),
          before: Value('Absent: it was not there'),
          after: Value('Absent: it is not there any more'),
        }),
      ),
    }),
  ),
  pagination: CursorPagination,
});
type RecordChanges = Static<typeof RecordChanges>;

const pageFields = {
  limit: Type.Optional(Limit),
  after: Type.Optional(Type.String({ maxLength: 128, description: 'Fetch changes after this position' })),
  next_id: Type.Optional(Type.String({ maxLength: 128, description: 'Another name of `after`' })),
};

/** The routes, each that reads one record and can rewind followed by one for what changed it. */
export const withChanges = (routes: readonly AnyRoute[], readChanges: ReadChanges): readonly AnyRoute[] =>
  routes.flatMap((one) =>
    one.rewinds !== undefined && one.path.endsWith('}') ? [one, changesRoute(one, readChanges)] : [one],
  );

const changesRoute = (of: AnyRoute, readChanges: ReadChanges): AnyRoute => {
  const { as_of: _, ...own } = (of.query as TSchema & { readonly properties: TProperties }).properties;
  return route({
    tag: of.tag,
    scope: of.scope,
    method: 'get',
    path: `${of.path}/changes`,
    operationId: of.operationId.replace(/^get/, 'list').concat('Changes'),
    summary: `What changed: ${of.summary.replace(/^Get /, '')}`,
    description:
      'From event to event, which fields of the record changed from what to what, by whom, when and in which trace; ' +
      'events that changed none are left out. It answers after a deletion, too. What the record shows of other streams, ' +
      'such as the name from a setting, changes with the events of those. A page may have fewer changes than its limit.',
    query: closed({ ...pageFields, ...own }),
    // It reads the streams themselves, which contain every write immediately.
    reads: [],
    answers: { 200: RecordChanges },
    problems: ['not_found', 'invalid_cursor', ...(of.problems ?? [])],
    handler: async (input) => {
      const { limit = 20, after, next_id: nextId, ...query } = input.query as Query;
      const cursor = cursorOf(after, nextId);
      if (cursor !== undefined && !isPosition(cursor))
        throw new HttpProblem('invalid_cursor', '`after` is the `position` of a change');
      const page = await readChanges(
        async (past) => {
          const answer = await of.handler({ ...input, query, caller: { ...input.caller, past } });
          if (answer === STREAMED) return undefined;
          return 'json' in answer ? JSON.parse(answer.json.toString()) : asSent(answer.body);
        },
        { limit, ...(cursor !== undefined && { after: cursor }) },
      );
      const pagination = paginationOf(page, limit, ({ event }) => event.position);
      return ok({ changes: page.rows.map(changeRecord), pagination });
    },
  });
};

interface Query {
  readonly limit?: number;
  readonly after?: string;
  readonly next_id?: string;
}

/** Without the fields that are undefined. */
const asSent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

const changeRecord = ({ event, changes }: RecordChange): RecordChanges['changes'][number] => {
  const traceId = traceIdOf(event.metadata.traceparent);
  return {
    position: event.position,
    stream: event.stream,
    revision: Number(event.revision),
    type: event.event.type,
    time: seconds(event.recordedAt),
    actor: event.metadata.actor,
    ...(traceId !== null && { trace_id: traceId }),
    fields: [...changes],
  };
};
