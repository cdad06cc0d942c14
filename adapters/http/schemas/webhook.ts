import Type, { type Static } from 'typebox';
import { CATEGORIES } from '../../../application/event-sourcing/streams.ts';
import { DELIVERY_STATES } from '../../../application/ports/webhooks.ts';
import { DISABLED_BECAUSE } from '../../../domain/webhook/decider.ts';
import { POSITION } from '../request-headers.ts';
import {
  closed,
  CursorPagination,
  DeletedAt,
  HttpUrl,
  Id,
  pageFields,
  Pagination,
  patterned,
  UnixSeconds,
} from './common.ts';
import { EVENT_NAMES } from './event.ts';

type Strings = string[] | null;
/** A list of which one must match. */
const anyOf = (schema: object) => Type.Optional(Type.Unsafe<Strings>({ ...schema, type: ['array', 'null'] }));

const filters = {
  types: anyOf(
    Type.Array(Type.Enum([...EVENT_NAMES]), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Types of events, as `GET /events` has them. Null or absent: all',
    }),
  ),
  categories: anyOf(
    Type.Array(Type.Enum([...CATEGORIES]), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Kinds of streams. Null or absent: all',
    }),
  ),
  source_group_ids: anyOf(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description:
        'Data sources: their own events, and those of their settings and documents. Null or absent: every event, also of ' +
        'no data source',
    }),
  ),
};
const Description = Type.String({ maxLength: 1000 });

export const WebhookCreate = closed(
  {
    url: HttpUrl,
    description: Type.Optional(Description),
    ...filters,
    from: Type.Optional(
      patterned(POSITION, 'must be now, or a position from a response of this service', {
        default: 'now',
        description: 'Send events after this position of the log; `now`: those that come',
      }),
    ),
  },
  { examples: [{ url: 'https://example.com/hooks/knowledger', types: ['SourceIndexed', 'JobFailed'] }] },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookChange = closed(
  {
    url: Type.Optional(HttpUrl),
    description: Type.Optional(Description),
    ...filters,
    enabled: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1, examples: [{ enabled: false }] },
);

const Filter = Type.Unsafe<Strings>({ type: ['array', 'null'], items: { type: 'string' } });
const webhookFields = {
  id: Id,
  deleted_at: DeletedAt,
  url: Type.String(),
  description: Type.String(),
  types: Filter,
  categories: Filter,
  source_group_ids: Filter,
  enabled: Type.Boolean(),
  disabled: Type.Optional(
    Type.Object(
      {
        because: Type.Enum([...DISABLED_BECAUSE], {
          description:
            '`caller`: by `PUT`. `failing`: for a day every attempt failed. `gone`: the receiver answered 410',
        }),
        detail: Type.Optional(Type.String({ description: 'What the receiver last answered' })),
        time: UnixSeconds,
      },
      { description: 'Why nothing is sent. Absent while it is enabled' },
    ),
  ),
  failing: Type.Optional(
    Type.Object(
      {
        since: UnixSeconds,
        reason: Type.Optional(
          Type.String({ description: 'Why the oldest event that waits was not delivered' }),
        ),
      },
      {
        description: 'Absent while it is disabled, after a success, with `as_of`, and in answers to changes',
      },
    ),
  ),
  previous_secret_until: Type.Optional(
    Type.Integer({
      description: 'Until then the secret before the last rotation signs too; Unix timestamp in seconds',
    }),
  ),
  creation_time: UnixSeconds,
  change_time: Type.Integer({ description: 'Of the subscription, by a caller; Unix timestamp in seconds' }),
};
export const Webhook = Type.Object(webhookFields);
export type Webhook = Static<typeof Webhook>;
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook), pagination: Pagination });
export const IssuedWebhook = Type.Object({
  ...webhookFields,
  secret: Type.Optional(
    Type.String({
      description:
        'Verifies messages; shown this once. Absent in the answer to a repeated Idempotency-Key if it was replaced since',
    }),
  ),
});
export type IssuedWebhook = Static<typeof IssuedWebhook>;

export const DeliveryQuery = closed({ ...pageFields, state: Type.Optional(Type.Enum([...DELIVERY_STATES])) });

export const WebhookDelivery = Type.Object({
  id: Type.String({ description: 'Id of the event, and the header `webhook-id` of every attempt' }),
  type: Type.String(),
  stream: Type.String(),
  position: Type.String({ description: 'Of the event in the log' }),
  state: Type.Enum([...DELIVERY_STATES], { description: '`dead`: tried for a day, and not again by itself' }),
  attempts: Type.Integer({ minimum: 0 }),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer' })),
  reason: Type.Optional(Type.String({ description: 'Why the last attempt failed' })),
  next_attempt_time: Type.Optional(
    Type.Integer({ description: 'Of a pending one, at the earliest; Unix timestamp in seconds' }),
  ),
  creation_time: UnixSeconds,
  settled_time: Type.Optional(
    Type.Integer({ description: 'When it was delivered or died; Unix timestamp in seconds' }),
  ),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryList = Type.Object({
  deliveries: Type.Array(WebhookDelivery),
  pagination: CursorPagination,
});
export const WebhookTest = Type.Object({
  delivered: Type.Boolean(),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer' })),
  reason: Type.Optional(Type.String()),
});
