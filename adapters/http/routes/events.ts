import type { Caller } from '../../../application/access/caller.ts';
import type { AuditFilter, AuditOperations } from '../../../application/audit/operations.ts';
import { parseWhere, shownEvent } from '../../../application/audit/where.ts';
import { categoryOf } from '../../../application/ports/event-checks.ts';
import {
  BEGINNING,
  type EventPage,
  type FeedMessage,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import type { AuditEntry as Entry } from '../../../application/sources/data-sources/audit-trail.ts';
import { ok } from '../json-response.ts';
import {
  EVENT_STREAM,
  JSON_LINES,
  type ServerSentEvent,
  type StreamDeps,
  prepareStream,
  sendEvents,
  sendJsonLines,
} from '../stream-response.ts';
import { cursorOf } from '../parameters.ts';
import { HttpProblem } from '../problem.ts';
import { seconds } from '../data-sources/kind.ts';
import { isPosition } from '../request-headers.ts';
import { type AnyRoute, STREAMED, route } from '../route.ts';
import { type AuditEntry, LogEvent, LogPage, LogQuery } from '../schemas/event.ts';
import type { Request } from 'express';

export const eventRoutes = (events: AuditOperations, deps: StreamDeps): readonly AnyRoute[] => [
  route({
    tag: 'events',
    scope: 'audit:read',
    method: 'get',
    path: '/events',
    operationId: 'listEvents',
    summary: 'The event log, in its one order',
    description:
      'Every event of the tenant in the order in which it became readable, without gaps: to page, to replay or to follow.',
    query: LogQuery,
    // A view at this position was fed by the log, so the log shows it too.
    reads: ['data_source'],
    answers: { 200: LogPage },
    streams: {
      [JSON_LINES]: {
        description:
          'All matching events that the log holds now, one on each line, or as many as `limit` says. It counts among ' +
          'the streams that are open.',
        part: LogEvent,
      },
      [EVENT_STREAM]: {
        description:
          'Past events, then those to come. The `id` of each is its position. A caller may have 20 streams open, all callers ' +
          'together 500: 429 with Retry-After beyond.',
        part: LogEvent,
      },
    },
    headers: {
      'last-event-id':
        'Position after which a stream, of lines too, goes on; it wins over `after_position`. The position of the last line that was read whole',
    },
    handler: async ({ caller, query, mediaType, req, res }) => {
      const after = cursorOf(query.after_position, query.next_id) ?? BEGINNING;
      const filter = filterOf(query);
      const back = query.order === 'desc';
      if (mediaType === 'application/json') {
        const { limit = 20 } = query;
        await events.mustHold(after);
        const read = back ? events.pageBack : events.page;
        return ok(pageOf(await read(caller, filter, after, limit + 1), limit));
      }
      if (back && mediaType === EVENT_STREAM) throw new HttpProblem('invalid_request', NO_WAY_BACK);
      deps.takeSlot(caller.id, res);
      const from = lastEventIdOf(req) ?? after;
      // An unknown position, or an unavailable log, is reported before the stream begins.
      await events.mustHold(from);
      await events.page(caller, {}, from, 1);
      // An NDJSON response may end before the server stops it.
      const stream = prepareStream(
        req,
        res,
        mediaType === JSON_LINES ? deps.stop.refusing : deps.stop.draining,
      );
      if (mediaType === JSON_LINES) {
        const all = back
          ? replayedBack(events, caller, filter, from, stream.signal)
          : events.replay(caller, filter, from, stream.signal);
        await sendJsonLines(res, stream, lines(all, query.limit));
        return STREAMED;
      }
      const source = events.follow(caller, filter, from, stream.signal);
      const stillAllowed = () => deps.stillAllowed(req, 'audit:read');
      await sendEvents(stream, framed(source), { stillAllowed, everyMs: deps.keepAliveMs });
      return STREAMED;
    },
  }),
];

/** Bounds are whole seconds, `from` inclusive and `to` exclusive. */
export const filterOf = ({
  category,
  types,
  stream,
  stream_prefix: streamPrefix,
  actor,
  trace_id: traceId,
  from,
  to,
  where,
}: Omit<LogQuery, 'limit'>): AuditFilter => ({
  ...(category !== undefined && { categories: category }),
  ...(types !== undefined && { types }),
  ...(stream !== undefined && { stream }),
  ...(streamPrefix !== undefined && { streamPrefix, ...categoriesOf(streamPrefix, category) }),
  ...(actor !== undefined && { actor }),
  ...(traceId !== undefined && { traceId }),
  ...(from !== undefined && { from: from * 1000 }),
  ...(to !== undefined && { to: to * 1000 }),
  ...(where !== undefined && { where: parseWhere(where) }),
});

/** A beginning with a hyphen has the whole category, by which stores look. */
const categoriesOf = (streamPrefix: string, category: LogQuery['category']): AuditFilter =>
  category === undefined && streamPrefix.includes('-') ? { categories: [categoryOf(streamPrefix)] } : {};

/** One event more than the page was requested: it shows whether there is a next page. */
const pageOf = ({ events, position, more }: EventPage, limit: number): LogPage => {
  const rows = events.slice(0, limit);
  const isFull = events.length > limit;
  const hasMore = isFull || more;
  const nextId = isFull ? rows.at(-1)?.position : hasMore ? position : undefined;
  return {
    events: rows.map(logEventRecord),
    pagination: { limit, has_more: hasMore, ...(nextId !== undefined && { next_id: nextId }) },
  };
};

const lastEventIdOf = (req: Request): Position | undefined => {
  const id = req.headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id === 'string' && isPosition(id)) return id;
  throw new HttpProblem(
    'invalid_cursor',
    'Last-Event-ID must be the id of an event of this stream, or the position of a line',
  );
};

const NO_WAY_BACK = 'an event stream follows the log as it grows: order=desc is only for JSON and NDJSON';
/** Events per read in descending order. */
const STEP = 500;

/** Yields everything before `before`, newest first, and ends. */
async function* replayedBack(
  events: AuditOperations,
  caller: Caller,
  filter: AuditFilter,
  before: Position,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent> {
  for (let [from, goesOn] = [before, true]; goesOn && !signal.aborted;) {
    const page = await events.pageBack(caller, filter, from, STEP);
    yield* page.events;
    [from, goesOn] = [page.position, page.more];
  }
}

async function* lines(
  events: AsyncIterable<RecordedEvent>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<LogEvent> {
  let left = limit;
  for await (const event of events) {
    yield logEventRecord(event);
    if ((left -= 1) === 0) return;
  }
}

async function* framed(messages: AsyncIterable<FeedMessage>): AsyncGenerator<ServerSentEvent> {
  for await (const message of messages) {
    if (message.kind === 'events') {
      for (const event of message.events) yield { id: event.position, data: logEventRecord(event) };
    } else if (message.position !== BEGINNING) yield { id: message.position };
  }
}

export const auditEntryRecord = (entry: Entry): AuditEntry => ({
  revision: Number(entry.revision),
  position: entry.position,
  type: entry.type,
  time: seconds(entry.recordedAt),
  actor: entry.actor,
  ...(entry.jobId !== null && { job_id: entry.jobId }),
  ...(entry.attempt !== null && { attempt: entry.attempt }),
  ...(entry.fromStatus !== null && { from_status: entry.fromStatus }),
  to_status: entry.toStatus,
  data: entry.data,
  ...(entry.traceId !== null && { trace_id: entry.traceId }),
});

export const logEventRecord = (event: RecordedEvent): LogEvent => ({
  position: event.position,
  time: seconds(event.recordedAt),
  ...shownEvent(event),
});
