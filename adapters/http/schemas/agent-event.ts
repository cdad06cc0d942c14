import Type, { type Static } from 'typebox';
import { RUN_STATUSES } from '../../../domain/agent-run/index.ts';
import { principalField } from './agent.ts';
import { EXAMPLE_ID, closed, CursorPagination, Id, Limit, patterned } from './common.ts';
import { AGENT_RUN } from './event-data/agent.ts';
import { type EventOf, oneOfTypes } from './event-data/one-of-types.ts';

const fields = {
  run_id: Id,
  revision: Type.Integer({ minimum: 0, description: 'Number of the event within the run, without gaps' }),
  time: Type.String({ format: 'date-time' }),
  status: Type.Enum([...RUN_STATUSES], { description: 'Of the run, as of this event' }),
  body: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description:
      'What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing',
  }),
  trace_id: Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[0-9a-f]{32}$' }),
};
export type AgentRunEvent = EventOf<typeof fields>;
export const [AgentRunEvent, agentRunEventComponents] = oneOfTypes('AgentRunEvent', fields, AGENT_RUN);

export const AgentRunEvents = Type.Object({
  events: Type.Array(AgentRunEvent),
  pagination: CursorPagination,
});
export const AgentThreadEvents = Type.Object({
  events: Type.Array(AgentRunEvent, {
    description: 'Of each run from the root to the one that is picked, in order',
  }),
  pagination: CursorPagination,
});

const revision = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));
export const AgentRunEventsQuery = closed({
  limit: Type.Optional(Limit),
  after: revision('Fetch events after this revision: not beyond the last one'),
  next_id: revision('Another name of `after`'),
  ...principalField,
});
export type AgentRunEventsQuery = Static<typeof AgentRunEventsQuery>;
/** A restore reads everything: a usual path fits into one page. */
export const MAX_ON_PATH = 1_000;
const placeOnPath = (description: string) =>
  Type.Optional(
    patterned('^[0-9a-fA-F-]{36}:[0-9]{1,15}$', 'must be the `next_id` of a page of this path', {
      description,
    }),
  );
export const AgentThreadEventsQuery = closed({
  run_id: Type.String({
    format: 'uuid',
    description: 'The run that is picked for restore',
    examples: [EXAMPLE_ID],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ON_PATH,
      default: MAX_ON_PATH,
      description: 'Events per page',
    }),
  ),
  after: placeOnPath('Fetch events behind this place: the `next_id` of the page before'),
  next_id: placeOnPath('Another name of `after`'),
  ...principalField,
});
