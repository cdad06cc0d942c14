import type { RunEvents } from '../../../application/agents/runs/run-events.ts';
import type { PathCursor } from '../../../application/agents/runs/run-path.ts';
import { isOver } from '../../../domain/agent-run/index.ts';
import { agUiStream } from './agent-runs.ts';
import { ok, onceViewsShow } from '../json-response.ts';
import { EVENT_STREAM, type StreamDeps, prepareStream, sendEvents } from '../stream-response.ts';
import { cursorOf, paginationOf } from '../parameters.ts';
import { HttpProblem } from '../problem.ts';
import { agentEventRecord } from '../records/agent-record.ts';
import { lastEventIdOf } from '../request-headers.ts';
import { type AnyRoute, route, STREAMED } from '../route.ts';
import {
  AgentRunEvents,
  AgentRunEventsQuery,
  AgentThreadEvents,
  AgentThreadEventsQuery,
  MAX_ON_PATH,
} from '../schemas/agent-event.ts';

export interface AgentEventRouteDeps extends StreamDeps {
  readonly runEvents: RunEvents;
}

// They read streams themselves, which contain every write immediately.
const common = { tag: 'agents', scope: 'inference:run', method: 'get', reads: [] } as const;

export const agentEventRoutes = (deps: AgentEventRouteDeps): readonly AnyRoute[] => [
  route({
    ...common,
    path: '/agent/runs/{run_id}/events',
    operationId: 'listAgentRunEvents',
    summary: 'What happened in a run, with what was said',
    description:
      'Experimental. As JSON every event that is kept; as an event stream what the agent-UI protocol makes of it, from ' +
      'the beginning, then as it happens.',
    query: AgentRunEventsQuery,
    settles: ['agent_run', 'agent_thread'],
    answers: { 200: AgentRunEvents },
    streams: {
      [EVENT_STREAM]: {
        description:
          'Events of the agent-UI protocol (AG-UI 1.0), until the run is over. The `id` is the revision that the client ' +
          'has been told whole: it goes on behind that. A stream that goes on begins with RUN_STARTED and with what is ' +
          'open there; behind the end of the run the answer is 204, at which a browser does not come back. A caller may have 20 streams open, all callers together 500: 429 with Retry-After beyond.',
      },
    },
    noContent: 'To an event stream: the run is over, and the client has been told its end',
    headers: { 'last-event-id': 'Revision behind which the stream goes on; it wins over `after`' },
    problems: ['not_configured'],
    handler: async ({ caller, params, query, mediaType, req, res }) => {
      const { limit = 20 } = query;
      const runId = (params['run_id'] ?? '').toLowerCase();
      const principalId = query.principal_id ?? null;
      const after = revisionOf(cursorOf(query.after, query.next_id));
      if (mediaType !== EVENT_STREAM) {
        const from = { limit, ...(after !== undefined && { after }) };
        const page = await deps.runEvents.page(caller, runId, principalId, from);
        const pagination = paginationOf(page, limit, ({ revision }) => revision.toString());
        return ok({ events: page.rows.map(agentEventRecord), pagination }, page.rows.at(-1)?.position);
      }
      deps.takeSlot(caller.id, res);
      const from = revisionOf(lastEventIdOf(req)) ?? after;
      const stream = prepareStream(req, res, deps.stop.draining);
      const followed = await deps.runEvents.follow(caller, runId, principalId, stream.signal);
      const { revision: last = -1n, status } = followed.past.at(-1) ?? {};
      if (from !== undefined && from >= last && status !== undefined && isOver(status)) {
        res.status(204).end();
        return STREAMED;
      }
      if (from !== undefined && from > last)
        throw new HttpProblem('invalid_cursor', `there is no event ${from} in this run: the last is ${last}`);
      const stillAllowed = () => deps.stillAllowed(req, 'inference:run');
      const watched = {
        gate: deps.gate,
        views: ['agent_run', 'agent_thread'],
        signal: stream.signal,
      } as const;
      const live = onceViewsShow(watched, followed.live, (told) =>
        isOver(told.status) ? told.position : null,
      );
      const source = agUiStream({ past: followed.past, live }, from);
      await sendEvents(stream, source, { stillAllowed, everyMs: deps.keepAliveMs });
      return STREAMED;
    },
  }),
  route({
    ...common,
    path: '/agent/threads/{thread_id}/events',
    operationId: 'listAgentThreadEvents',
    summary: 'What led to a run: the way to restore it',
    description:
      'Experimental. The events of every run on the path from the root of the thread to the run that is picked.',
    query: AgentThreadEventsQuery,
    answers: { 200: AgentThreadEvents },
    problems: ['not_configured', 'invalid_cursor'],
    handler: async ({ caller, params, query }) => {
      const threadId = (params['thread_id'] ?? '').toLowerCase();
      const runId = query.run_id.toLowerCase();
      const { limit = MAX_ON_PATH, principal_id: principalId = null } = query;
      const after = placeOf(cursorOf(query.after, query.next_id));
      const from = { limit, ...(after !== undefined && { after }) };
      const { rows, hasMore } = await deps.runEvents.path(caller, threadId, principalId, runId, from);
      const last = rows.at(-1);
      const next = hasMore && last !== undefined && { next_id: `${last.runId}:${last.revision}` };
      return ok({ events: rows.map(agentEventRecord), pagination: { limit, has_more: hasMore, ...next } });
    },
  }),
];

/** The pattern of the cursor guarantees the format. */
const placeOf = (cursor: string | undefined): PathCursor | undefined => {
  const [runId, revision] = cursor?.toLowerCase().split(':') ?? [];
  return runId === undefined || revision === undefined ? undefined : { runId, revision: BigInt(revision) };
};

const revisionOf = (value: number | string | undefined): bigint | undefined =>
  value === undefined ? undefined : BigInt(value);
