import type { AuditEntry, AuditTrail } from '../../../application/sources/data-sources/audit-trail.ts';
import type { ReadItemErrors } from '../../../application/sources/ingestion/operations.ts';
import {
  EVENT_STREAM,
  type ServerSentEvent,
  type StreamDeps,
  prepareStream,
  sendEvents,
} from '../stream-response.ts';
import { cursorOf, paginationOf } from '../parameters.ts';
import { type AnyDataSourceHttp, seconds } from './kind.ts';
import { auditEntryRecord } from '../routes/events.ts';
import { ok, onceViewsShow } from '../json-response.ts';
import { lastEventIdOf } from '../request-headers.ts';
import { type AnyRoute, route, STREAMED } from '../route.ts';
import {
  AuditEntry as AuditEntryRecord,
  AuditTrail as AuditTrailPage,
  AuditTrailQuery,
} from '../schemas/event.ts';
import type { ItemErrorsQuery } from '../schemas/data-source.ts';

export interface AuditRoutesDeps extends StreamDeps {
  readonly auditTrail: AuditTrail;
  readonly itemErrors: ReadItemErrors;
}

/** The audit trail of data sources of one kind, and the errors of their newest job. */
export const auditRoutes = (
  deps: AuditRoutesDeps,
  { kind, one, path, tag, noun, errors }: AnyDataSourceHttp,
): readonly AnyRoute[] => [
  route({
    tag,
    scope: 'ingestion:manage',
    method: 'get',
    path: `${path}/{id}/events`,
    operationId: `list${one}Events`,
    summary: `The audit trail of a ${noun}, also after its deletion`,
    description:
      'Every change of the data source and of its jobs, with who caused it and the status before and after.',
    query: AuditTrailQuery,
    // It reads the stream itself, which contains every write immediately.
    reads: [],
    settles: ['data_source'],
    answers: { 200: AuditTrailPage },
    streams: {
      [EVENT_STREAM]: {
        description:
          'Past events, then those to come. The `id` of each is its revision. A caller may have 20 streams open, all callers ' +
          'together 500: 429 with Retry-After beyond.',
        part: AuditEntryRecord,
      },
    },
    headers: { 'last-event-id': 'Revision after which the stream goes on; it wins over `after`' },
    handler: async ({ caller, id, query, mediaType, req, res }) => {
      const { limit = 20 } = query;
      const after = revisionOf(cursorOf(query.after, query.next_id));
      if (mediaType !== EVENT_STREAM) {
        const page = await deps.auditTrail.page(caller, kind, id, { limit, ...after });
        const pagination = paginationOf(page, limit, ({ revision }) => revision.toString());
        return ok({ events: page.rows.map(auditEntryRecord), pagination }, page.rows.at(-1)?.position);
      }
      deps.takeSlot(caller.id, res);
      const from = revisionOf(lastEventIdOf(req)) ?? after;
      const stream = prepareStream(req, res, deps.stop.draining);
      const entries = await deps.auditTrail.follow(caller, kind, id, { ...from, signal: stream.signal });
      const stillAllowed = () => deps.stillAllowed(req, 'ingestion:manage');
      const watched = { gate: deps.gate, views: ['data_source'], signal: stream.signal } as const;
      const shown = onceViewsShow(watched, entries, (entry) =>
        entry.fromStatus === entry.toStatus ? null : entry.position,
      );
      await sendEvents(stream, framed(shown), { stillAllowed, everyMs: deps.keepAliveMs });
      return STREAMED;
    },
  }),
  route({
    tag,
    scope: 'ingestion:manage',
    method: 'get',
    path: `${path}/{id}/errors`,
    operationId: `list${one}Errors`,
    summary: errors.summary,
    description: errors.description,
    query: errors.query,
    reads: ['data_source'],
    answers: { 200: errors.answer },
    handler: async ({ caller, id, query }) => {
      const { limit = 20, after, next_id: nextId } = query as ItemErrorsQuery;
      const from = cursorOf(after, nextId);
      const found = await deps.itemErrors(caller, kind, id, {
        limit,
        ...(from !== undefined && { after: from }),
      });
      const rows = found.errors.rows.map(({ at, ...error }) => ({ ...error, time: seconds(at) }));
      const pagination = paginationOf(found.errors, limit, ({ locator }) => locator);
      return ok({ errors: rows, ...errors.more?.(found), pagination });
    },
  }),
];

const revisionOf = (value: number | string | undefined): { after: bigint } | undefined =>
  value === undefined ? undefined : { after: BigInt(value) };

async function* framed(entries: AsyncIterable<AuditEntry>): AsyncGenerator<ServerSentEvent> {
  for await (const entry of entries) yield { id: entry.revision.toString(), data: auditEntryRecord(entry) };
}
