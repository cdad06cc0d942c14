import Type, { type Static } from 'typebox';
import { STORED } from '../../../application/event-sourcing/event-codec.ts';
import { CATEGORIES } from '../../../application/event-sourcing/streams.ts';
import { JOB_STATUSES } from '../../../domain/data-source/index.ts';
import { POSITION } from '../request-headers.ts';
import { closed, CursorPagination, Limit, patterned, UnixSeconds } from './common.ts';
import { DATA_SOURCE } from './event-data/data-source.ts';
import { EVENT_DATA } from './event-data/event-data.ts';
import { type EventOf, oneOfTypes } from './event-data/one-of-types.ts';

export const Actor = Type.Object({
  kind: Type.Enum(['api_key', 'person', 'schedule', 'worker', 'system']),
  id: Type.String(),
  name: Type.Optional(
    Type.String({ description: 'Of a person, as the issuer of the sign-in told it at that time' }),
  ),
});
const StreamStatus = Type.Enum([...JOB_STATUSES, 'removed']);
const TraceId = patterned('^[0-9a-f]{32}$', 'must be the id of a trace: 32 lower-case hexadecimal figures');

/** One line of the audit trail of a data source. */
const entryFields = {
  revision: Type.Integer({
    minimum: 0,
    description: 'Number of the event within the data source, without gaps',
  }),
  position: Type.String({ description: 'Of the event in the log, as `GET /events` has it' }),
  time: UnixSeconds,
  actor: Actor,
  job_id: Type.Optional(Type.String()),
  attempt: Type.Optional(Type.Integer()),
  from_status: Type.Optional(StreamStatus),
  to_status: StreamStatus,
  trace_id: Type.Optional(TraceId),
};
export type AuditEntry = EventOf<typeof entryFields>;
export const [AuditEntry, auditEntryComponents] = oneOfTypes('AuditEntry', entryFields, DATA_SOURCE);
export const AuditTrail = Type.Object({ events: Type.Array(AuditEntry), pagination: CursorPagination });

const revision = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));
export const AuditTrailQuery = closed({
  limit: Type.Optional(Limit),
  after: revision('Fetch events after this revision: not beyond the last one'),
  next_id: revision('Another name of `after`'),
});

/** One event of the log. */
const eventFields = {
  position: Type.String({ description: 'Place in the one order of the log; opaque, ordered as text' }),
  id: Type.String(),
  stream: Type.String({ description: 'Without the prefix that an operator may have chosen' }),
  revision: Type.Integer({ minimum: 0 }),
  time: UnixSeconds,
  actor: Type.Object({
    ...Actor.properties,
    tenant: Type.String({ description: 'That of the key which asks: no other is told of' }),
  }),
  correlation_id: Type.String(),
  causation_id: Type.String(),
  trace_id: Type.Unsafe<string | null>({
    ...TraceId,
    type: ['string', 'null'],
    description: 'Of the W3C trace context of the event; null where it has none, or no valid one',
  }),
};
export type LogEvent = EventOf<typeof eventFields>;
export const [LogEvent, logEventComponents] = oneOfTypes('LogEvent', eventFields, EVENT_DATA);
export const LogPage = Type.Object({
  events: Type.Array(LogEvent),
  pagination: Type.Object({
    limit: Type.Integer(),
    has_more: Type.Boolean(),
    next_id: Type.Optional(
      Type.String({
        description:
          'Cursor: send it as `after_position`. A page may have fewer events than `limit`, or none, where few of the log match',
      }),
    ),
  }),
});
export type LogPage = Static<typeof LogPage>;

const Position = (description: string) =>
  Type.Optional(patterned(POSITION, 'must be a position from a response of this service', { description }));
/** An unknown name is refused with the list of known names: a typing error would otherwise return nothing. */
const Names = (known: readonly string[], description: string) =>
  Type.Optional(
    Type.Array(Type.Enum([...known]), {
      maxItems: 50,
      description: `${description}; several are separated by commas`,
    }),
  );
/** The stored event names of every version that this program reads. */
export const EVENT_NAMES = Object.values(STORED).flatMap(({ name, earlier = [] }) => [
  name,
  ...earlier.map((old) => old.name),
]);
/** Which events: all conditions together. */
const filters = {
  category: Names(CATEGORIES, 'Kinds of streams'),
  types: Names(EVENT_NAMES, 'Types of events'),
  stream: Type.Optional(
    patterned('^[a-z][A-Za-z0-9]*-[0-9A-Za-z-]+$', 'must be the name of a stream', { maxLength: 200 }),
  ),
  stream_prefix: Type.Optional(
    patterned('^[a-z][A-Za-z0-9]*(-[0-9A-Za-z-]*)?$', 'must be the beginning of the name of a stream', {
      maxLength: 200,
      description: 'Events of the streams whose names begin so; looked for as `where` is',
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Events that this actor caused: the `id` of an `actor`, such as that of an API key',
    }),
  ),
  trace_id: Type.Optional(Type.String({ ...TraceId, description: 'Events of this trace' })),
  from: Type.Optional(Type.Integer({ description: 'Recorded at this time or later, in Unix seconds' })),
  to: Type.Optional(Type.Integer({ description: 'Recorded before this time, in Unix seconds' })),
  where: Type.Optional(
    Type.String({
      maxLength: 4_000,
      examples: ['{"/data/job_id":"0198c2f0-9a6b-7cc3-a5d1-2f6f3a9c1e77","/actor/kind":"worker"}'],
      description:
        'An object of JSON: JSON Pointers (RFC 6901) into an event as it is answered, each with the value that it leads to. All of them hold. ' +
        'No index has them, so a page looks at some ten thousand events: narrow it by the other filters, and go on with `next_id`',
    }),
  ),
};
export const LogQuery = closed({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'Events per page, 20 where it is absent. Of NDJSON so many at most, all of them where it is absent',
    }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      default: 'asc',
      description: '`desc`: the newest first, for pages and NDJSON. A stream that follows has one order',
    }),
  ),
  after_position: Position(
    'Fetch events after this position, or whatever place in the log it is, but none beyond its end: those before it with `order=desc`',
  ),
  next_id: Position('Another name of `after_position`'),
  ...filters,
});
export type LogQuery = Static<typeof LogQuery>;

export const ExportQuery = closed({
  format: Type.Optional(
    Type.Enum(['ndjson', 'csv', 'parquet'], {
      default: 'ndjson',
      description: '`parquet` is one file, of use once it is whole',
    }),
  ),
  after_position: Position('Export events after this position: that of the last whole line, after a break'),
  hashes: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also a line with index and hash for each event that the filter leaves out, so that the rest can be proved against a checkpoint. Only for `ndjson`',
    }),
  ),
  ...filters,
});
