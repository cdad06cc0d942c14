import type {
  IssuedWebhook as Issued,
  WebhookOperations,
  WebhookRecord,
} from '../../../application/webhooks/operations.ts';
import type { Delivery } from '../../../application/ports/webhooks.ts';
import { seconds } from '../data-sources/kind.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { type AnyRoute, route } from '../route.ts';
import { ListQuery, Message, Nothing } from '../schemas/common.ts';
import {
  DeliveryQuery,
  IssuedWebhook,
  Webhook,
  WebhookChange,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookTest,
} from '../schemas/webhook.ts';

const common = { tag: 'webhooks', scope: 'webhooks:manage' } as const;
const read = { ...common, method: 'get', reads: ['webhook'] } as const;
const write = { ...common, writes: true, settles: ['webhook'] } as const;

export const webhookRoutes = (webhooks: WebhookOperations): readonly AnyRoute[] => [
  route({
    ...write,
    method: 'post',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary: 'Send events to an address',
    description:
      'Each matching event becomes a POST of `{type, timestamp, data}`, where `data` is the event as `GET /events` shows ' +
      'it, signed after Standard Webhooks. At least once, and in the order of the log within each data source. The ' +
      'signing secret is shown here, and when it is rotated. Whoever makes a webhook needs `audit:read` too.',
    body: WebhookCreate,
    idempotent: true,
    answers: { 201: IssuedWebhook },
    problems: [
      'url_not_allowed',
      'not_found',
      'invalid_cursor',
      'scope_not_grantable',
      'key_restricted',
      'idempotency_conflict',
      'not_configured',
    ],
    handler: async ({ caller, body, idempotencyKey }) => {
      const made = await webhooks.create(caller, requestOf(body), idempotencyKey);
      return created(issuedRecord(made.record), `/webhooks/${made.record.record.id}`, made);
    },
  }),
  route({
    ...read,
    path: '/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks, newest first',
    description: 'Without their secrets.',
    query: ListQuery,
    rewinds: 'id',
    answers: { 200: WebhookList },
    problems: ['key_restricted'],
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await webhooks.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ webhooks: page.rows.map(webhookRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Without its secret. `disabled` says why nothing is sent, `failing` why nothing arrives.',
    rewinds: 'id',
    answers: { 200: Webhook },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => ok(webhookRecord(await webhooks.get(caller, id))),
  }),
  route({
    ...write,
    method: 'put',
    path: '/webhooks/{id}',
    operationId: 'changeWebhook',
    summary: 'Change, disable or enable a webhook',
    description:
      'What is absent stays as it is; null for a filter takes it away. Another filter holds for events that are not read ' +
      'yet. A webhook that is enabled again goes on where it stopped, and tries at once what is still pending.',
    body: WebhookChange,
    answers: { 200: Webhook },
    problems: ['url_not_allowed', 'scope_not_grantable', 'key_restricted'],
    handler: async ({ caller, id, body }) => {
      const { source_group_ids: sourceGroupIds, ...change } = body;
      const asked = { ...change, ...(sourceGroupIds !== undefined && { sourceGroupIds }) };
      const { record, position } = await webhooks.change(caller, id, asked);
      return ok(webhookRecord(record), position);
    },
  }),
  route({
    ...write,
    method: 'delete',
    path: '/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Erases its secrets and its deliveries.',
    answers: { 200: Message },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => {
      const { position } = await webhooks.remove(caller, id);
      return ok({ message: `webhook ${id} was deleted` }, position);
    },
  }),
  route({
    ...write,
    method: 'post',
    path: '/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the signing secret of a webhook',
    description:
      'The new secret is shown once. For 24 hours each message has two signatures, by the new secret and by the one before.',
    body: Nothing,
    bodyOptional: true,
    answers: { 200: IssuedWebhook },
    problems: ['key_restricted', 'not_configured'],
    handler: async ({ caller, id }) => {
      const { record, position } = await webhooks.rotateSecret(caller, id);
      return ok(issuedRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test message',
    description:
      'Sends one message of the type `webhook.test` now, also for a disabled webhook, and tells the answer. It is not ' +
      'repeated, and not among the deliveries.',
    body: Nothing,
    bodyOptional: true,
    answers: { 200: WebhookTest },
    problems: ['key_restricted', 'not_configured'],
    handler: async ({ caller, id }) => {
      const { isSuccess, status, reason } = await webhooks.test(caller, id);
      return ok({
        delivered: isSuccess,
        ...(status !== null && { status }),
        ...(reason !== '' && { reason }),
      });
    },
  }),
  route({
    ...read,
    path: '/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook, newest event first',
    description:
      'Pending ones with their next attempt, delivered ones for 7 days, dead ones for 30. Those before them in the same ' +
      'data source go first, so a pending one without attempts may wait for another.',
    query: DeliveryQuery,
    answers: { 200: WebhookDeliveryList },
    problems: ['key_restricted'],
    handler: async ({ caller, id, query }) => {
      const request = pageRequestOf(query);
      const { rows, hasMore } = await webhooks.deliveries(caller, id, query.state, request);
      const last = rows.at(-1);
      return ok({
        deliveries: rows.map(deliveryRecord),
        pagination: {
          limit: request.limit,
          has_more: hasMore,
          ...(hasMore && last !== undefined && { next_id: last.id }),
        },
      });
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Deliver an event again',
    description:
      'A dead or delivered one is sent again with the same `webhook-id`, beside the others: it holds back none. A pending ' +
      'one is tried at once when it is the first of its data source. Refused while the webhook is disabled.',
    body: Nothing,
    bodyOptional: true,
    answers: { 200: WebhookDelivery },
    problems: ['conflict', 'key_restricted'],
    handler: async ({ caller, id, params }) =>
      ok(deliveryRecord(await webhooks.redeliver(caller, id, params['delivery_id']!.toLowerCase()))),
  }),
];

const requestOf = ({
  url,
  description = '',
  types = null,
  categories = null,
  source_group_ids: sourceGroupIds = null,
  from = 'now',
}: WebhookCreate) => ({
  url,
  description,
  types,
  categories,
  sourceGroupIds,
  from: from === 'now' ? undefined : from,
});

const webhookRecord = (record: WebhookRecord): Webhook => ({
  id: record.id,
  url: record.url,
  description: record.description,
  types: record.types === null ? null : [...record.types],
  categories: record.categories === null ? null : [...record.categories],
  source_group_ids: record.sourceGroupIds === null ? null : [...record.sourceGroupIds],
  enabled: record.enabled,
  ...(record.disabled !== null && {
    disabled: {
      because: record.disabled.because,
      ...(record.disabled.detail !== '' && { detail: record.disabled.detail }),
      time: seconds(record.disabled.at),
    },
  }),
  ...(record.failing !== undefined && {
    failing: {
      since: seconds(record.failing.since),
      ...(record.failing.reason !== '' && { reason: record.failing.reason }),
    },
  }),
  ...(record.previousSecret !== null && { previous_secret_until: seconds(record.previousSecret.until) }),
  creation_time: seconds(record.createdAt),
  change_time: seconds(record.changedAt),
});

const issuedRecord = ({ record, secret }: Issued): IssuedWebhook => ({
  ...webhookRecord(record),
  ...(secret !== null && { secret }),
});

const deliveryRecord = (delivery: Delivery): WebhookDelivery => ({
  id: delivery.id,
  type: delivery.type,
  stream: delivery.stream,
  position: delivery.position,
  state: delivery.state,
  attempts: delivery.attempts,
  ...(delivery.status !== null && { status: delivery.status }),
  ...(delivery.reason !== '' && { reason: delivery.reason }),
  ...(delivery.nextAt !== null && { next_attempt_time: seconds(delivery.nextAt) }),
  creation_time: seconds(delivery.createdAt),
  ...(delivery.settledAt !== null && { settled_time: seconds(delivery.settledAt) }),
});
