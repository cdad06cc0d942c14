import { webhookProjection } from '../../adapters/postgres/projections/views.ts';
import { createWebhookDeliveries } from '../../adapters/postgres/webhooks/webhook-deliveries.ts';
import { createRowList } from '../../adapters/postgres/views/row-list.ts';
import type { WebhookRow } from '../../application/ports/webhooks.ts';
import { logEventRecord } from '../../adapters/http/routes/events.ts';
import { randomWebhookSecrets, sha256 } from '../../adapters/system/identity.ts';
import type { Position } from '../../application/ports/event-store.ts';
import type { Answer, WebhookMessage } from '../../application/ports/webhooks.ts';
import { createDeliver } from '../../application/webhooks/deliver.ts';
import { createWebhookOperations, type WebhookRequest } from '../../application/webhooks/operations.ts';
import { createPayloadOf } from '../../application/webhooks/payload.ts';
import { createSigningSecrets } from '../../application/webhooks/signing-secrets.ts';
import { callerOf, NOW } from './conversations.ts';
import { eventOf } from './log-proof.ts';
import { createMemoryVault } from './memory/vault.ts';
import { openWorld, silent } from './world.ts';

export const OK: Answer = { isSuccess: true, status: 204, reason: '', askedMs: 0 };
export const refused = (status: number, askedMs = 0): Answer => ({
  isSuccess: false,
  status,
  reason: `the receiver answered ${status}`,
  askedMs,
});

/** Everything of webhooks over Postgres, but the receiver and the clock, which belong to the test. */
export const openWebhooks = async () => {
  const world = await openWorld([webhookProjection]);
  world.project(webhookProjection);
  const vault = createMemoryVault();
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const received: (WebhookMessage & { readonly data: { readonly [field: string]: unknown } })[] = [];
  const receiver: { answer: (message: WebhookMessage) => Answer | Promise<Answer> } = { answer: () => OK };
  const shared = {
    ...world,
    clock,
    hash: sha256,
    log: silent,
    deliveries: createWebhookDeliveries(world.db),
    signingSecrets: createSigningSecrets(vault),
    sender: {
      send: async (message: WebhookMessage) => {
        received.push({ ...message, data: JSON.parse(message.body).data });
        return receiver.answer(message);
      },
    },
  };
  const operations = createWebhookOperations({
    ...shared,
    view: createRowList<WebhookRow>(world.db, 'webhook'),
    secrets: randomWebhookSecrets,
    refusalOf: () => null,
  });
  const payloadOf = createPayloadOf({
    shown: logEventRecord,
    redactTextFor: async () => (text) => text.replaceAll('Jo', '[name]'),
  });
  const process = () => createDeliver({ ...shared, payloadOf, random: () => 0 });
  const caller = callerOf('acme');
  const never = new AbortController().signal;
  let running = process();

  const seen = async (position: Position): Promise<void> => {
    if (!(await world.gate.reached(['webhook'], position, 20_000))) throw new Error('the view is behind');
  };
  return {
    ...world,
    vault,
    time,
    caller,
    received,
    receiver,
    operations,
    deliveries: shared.deliveries,
    seen,
    create: async (more: Partial<WebhookRequest> = {}) => {
      const request = { url: 'https://receiver.test/', description: '', from: undefined, ...more };
      const filters = { types: null, categories: ['source'], sourceGroupIds: null };
      const { record, position } = await operations.create(caller, { ...filters, ...request }, undefined);
      await seen(position);
      return { id: record.record.id, secret: record.secret! };
    },
    change: async (id: string, change: Parameters<typeof operations.change>[2]) => {
      await seen((await operations.change(caller, id, change)).position);
    },
    /** Appends one event for each number, to a document of this data source. */
    append: async (dataSourceId: string, numbers: readonly number[], tenant = 'acme'): Promise<Position> => {
      let last = '';
      for (const n of numbers) {
        const event = eventOf(tenant, { data_source_id: dataSourceId, title: `Jo ${n}`, n });
        ({ position: last } = await world.store.append(`source-${crypto.randomUUID()}`, 'none', [event]));
      }
      return last;
    },
    /** Makes a data source known. */
    register: async (id: string): Promise<void> => {
      await world.store.append(`dataSource-${id}`, 'none', [eventOf('acme')]);
    },
    /** Delivers what is due, until nothing is. */
    run: async (): Promise<void> => {
      for (let sent = -1; sent !== received.length;) {
        sent = received.length;
        while (await running.step(() => {}, never));
        await running.settled();
      }
    },
    /** Begins what is due, and does not wait for its end. */
    begin: async (): Promise<void> => {
      while (await running.step(() => {}, never));
    },
    /** The process dies, and another one takes over. */
    restart: (): void => {
      running = process();
    },
    /** The numbers that arrived since the last call, in order. */
    taken: (): readonly unknown[] => received.splice(0).map(({ data }) => (data['data'] as { n: number }).n),
    states: async (id: string) => {
      const { rows } = await operations.deliveries(caller, id, undefined, { limit: 100 });
      return rows.toReversed().map(({ state, attempts, status }) => [state, attempts, status]);
    },
  };
};
