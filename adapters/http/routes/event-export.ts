import type { ExportFormat, ExportOperations } from '../../../application/audit/export-log.ts';
import type { AuditOperations } from '../../../application/audit/operations.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import { HttpProblem } from '../problem.ts';
import { type AnyRoute, route, STREAMED } from '../route.ts';
import { ExportQuery } from '../schemas/event.ts';
import { JSON_LINES, prepareStream, sendParts, type StreamDeps } from '../stream-response.ts';
import { filterOf } from './events.ts';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  ndjson: JSON_LINES,
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
};
const ONLY_LINES = 'hashes=true is only for format=ndjson';

export const eventExportRoutes = (
  events: Pick<AuditOperations, 'mustHold'>,
  { exportEvents }: ExportOperations,
  deps: StreamDeps,
): readonly AnyRoute[] => [
  route({
    tag: 'events',
    scope: 'audit:read',
    method: 'get',
    path: '/events/export',
    operationId: 'exportEvents',
    summary: 'The event log as a file',
    description:
      'What `npm run events -- export` writes of the tenant: each event with index and hash of its leaf in the tree of the log, so that it can be proved. As far as the tree is: an event of this second may be missing. It counts among the streams that are open. A body that breaks off is not complete.',
    query: ExportQuery,
    reads: ['data_source', 'log_tree'],
    answers: {},
    otherResponses: {
      200: {
        description: 'The events in the order of the log',
        headers: {
          'content-disposition': { schema: { type: 'string' }, description: 'A name for the file' },
        },
        content: Object.fromEntries(
          Object.values(MEDIA_TYPES).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
    },
    problems: ['key_restricted', 'rate_limited', 'invalid_cursor'],
    handler: async ({ caller, query, req, res }) => {
      const { format = 'ndjson', after_position: after = BEGINNING, hashes = false } = query;
      if (hashes && format !== 'ndjson') throw new HttpProblem('invalid_request', ONLY_LINES);
      const filter = filterOf(query);
      await events.mustHold(after);
      deps.takeSlot(caller.id, res);
      const stream = prepareStream(req, res, deps.stop.refusing);
      const parts = await exportEvents(caller, { filter, after, hashes }, format, stream.signal);
      res.setHeader('content-disposition', `attachment; filename="events.${format}"`);
      await sendParts(res, stream, MEDIA_TYPES[format], parts);
      return STREAMED;
    },
  }),
];
