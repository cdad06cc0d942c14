import { webhook as aggregate, type DisableWebhook } from '../../domain/webhook/decider.ts';
import { GIVE_UP_MS, nextAttemptAt } from '../../domain/webhook/retry.ts';
import type { Execute } from '../event-sourcing/execute.ts';
import { webhookStream } from '../event-sourcing/streams.ts';
import type { Clock, IdSource } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Answer, Delivery, WebhookDeliveries, WebhookRow, WebhookSender } from '../ports/webhooks.ts';
import { createFollowLog, type FollowLogDeps } from './follow-log.ts';
import type { PayloadOf } from './payload.ts';
import type { SigningSecrets } from './signing-secrets.ts';

export interface DeliverDeps extends FollowLogDeps {
  readonly deliveries: WebhookDeliveries;
  readonly signingSecrets: Pick<SigningSecrets, 'inForce'>;
  readonly payloadOf: PayloadOf;
  readonly sender: WebhookSender;
  readonly execute: Execute;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Lanes of one webhook that are delivered at once, and of all webhooks. */
const [MAX_LANES, MAX_ALL_LANES] = [4, 64];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long settled deliveries are kept. */
const [KEEP_DELIVERED_MS, KEEP_DEAD_MS] = [7 * DAY, 30 * DAY];

/**
 * Follows the log for every webhook, and makes the deliveries: at least once, and in the order of the log within each
 * data source. A delivery that fails holds back later ones of its source alone. One process at a time should run it.
 */
export const createDeliver = (deps: DeliverDeps) => {
  const { deliveries, clock } = deps;
  /** Webhooks that this process disabled, by when they had been enabled: the view may still show them enabled. */
  const disabled = new Map<string, number>();
  const attempting = { ...deps, disabled };
  const follow = createFollowLog(deps);
  /** The lanes under way, by webhook. */
  const busy = new Map<string, Map<string, Promise<void>>>();
  let sweptAt = Number.NEGATIVE_INFINITY;

  const begin = async (webhook: WebhookRow, wake: () => void, signal: AbortSignal): Promise<void> => {
    const lanes = busy.get(webhook.id) ?? new Map<string, Promise<void>>();
    const all = [...busy.values()].reduce((sum, { size }) => sum + size, 0);
    const free = Math.min(MAX_LANES - lanes.size, MAX_ALL_LANES - all);
    if (free <= 0 || disabled.get(webhook.id) === webhook.enabledAt) return;
    for (const first of await deliveries.due(webhook.id, clock.now(), [...lanes.keys()], free)) {
      busy.set(webhook.id, lanes);
      const run = deliverLane(attempting, webhook, first, signal)
        // After an error it is left to the next poll.
        .then(wake, (error: unknown) => {
          const { message } = error as Error;
          if (!signal.aborted)
            deps.log.warn('a delivery will be tried again', { webhook: webhook.id, error: message });
        })
        .finally(() => {
          lanes.delete(first.lane);
          if (lanes.size === 0) busy.delete(webhook.id);
        });
      lanes.set(first.lane, run);
    }
  };

  return {
    /** One look at everything: reads the log, and begins what is due. True: there may be more to read at once. */
    step: async (wake: () => void, signal: AbortSignal): Promise<boolean> => {
      let more = false;
      const now = clock.now();
      if (now - sweptAt >= HOUR) {
        await deliveries.sweep(now - KEEP_DELIVERED_MS, now - KEEP_DEAD_MS);
        sweptAt = now;
      }
      const followed = await deliveries.followed(now);
      if (followed.length === 0) return false;
      const head = await deps.feed.head();
      for (const one of followed) {
        if (signal.aborted) return false;
        if (one.position < head && (await follow(one))) more = true;
        await begin(one.webhook, wake, signal);
      }
      return more;
    },
    /** Resolves when no delivery is under way. */
    settled: async (): Promise<void> => {
      while (busy.size > 0) await Promise.all([...busy.values()].flatMap((lanes) => [...lanes.values()]));
    },
  };
};

interface AttemptDeps extends DeliverDeps {
  readonly disabled: Map<string, number>;
}

export interface RunDeps extends DeliverDeps {
  /** See `WakeUp` of the process. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly wake: () => void;
}

const POLL_MS = 1_000;

/** Delivers until `signal` aborts, and ends when nothing is under way any more. Never rejects. */
export const runDeliver = async (deps: RunDeps, signal: AbortSignal): Promise<void> => {
  const { step, settled } = createDeliver(deps);
  while (!signal.aborted) {
    let more = false;
    try {
      more = await step(deps.wake, signal);
    } catch (error) {
      deps.log.warn('webhooks will be looked at again', { error: (error as Error).message });
    }
    if (!more) await deps.idle(POLL_MS, signal);
  }
  await settled();
};

/** How long a lane goes on before other lanes, and changes of the webhook, get their turn. */
const TURN_MS = 2_000;

/** Makes the deliveries of a lane in order, until one fails or its turn is over. */
const deliverLane = async (
  deps: AttemptDeps,
  webhook: WebhookRow,
  first: Delivery,
  signal: AbortSignal,
): Promise<void> => {
  const end = deps.clock.now() + TURN_MS;
  for (let delivery: Delivery | null = first; delivery !== null && !signal.aborted;) {
    if (!(await attempt(deps, webhook, delivery, signal))) return;
    const now = deps.clock.now();
    if (now >= end) return;
    delivery = await deps.deliveries.next(webhook.id, first.lane, now);
  }
};

/** Makes and records one attempt. True: the delivery is settled, so its lane may go on. */
const attempt = async (
  deps: AttemptDeps,
  webhook: WebhookRow,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<boolean> => {
  const { deliveries, clock } = deps;
  const answer = await sent(deps, webhook, delivery, signal);
  const now = clock.now();
  const firstAt = delivery.firstAt ?? now;
  const { status, reason } = answer;
  const nextAt = answer.isSuccess || answer === GONE_FROM_LOG ? null : retryAt(deps, delivery, answer, now);
  const state = answer.isSuccess ? 'delivered' : nextAt === null ? 'dead' : 'pending';
  const failingSince = await deliveries.record(delivery, { state, firstAt, nextAt, status, reason, at: now });
  if (failingSince === undefined) return false;
  if (status === 410) await disable(deps, webhook, delivery, 'gone', reason);
  else if (failingSince !== null && now - failingSince >= GIVE_UP_MS)
    await disable(deps, webhook, delivery, 'failing', reason);
  else return state !== 'pending';
  return false;
};

const retryAt = (
  { random }: DeliverDeps,
  { firstAt, attempts }: Delivery,
  { askedMs }: Answer,
  now: number,
): number | null =>
  nextAttemptAt({ firstAt: firstAt ?? now, attempts: attempts + 1, now, askedMs, random: random() });

/** @throws the reason of `signal`, or what keeps the service from sending: neither is a failure of the receiver */
const sent = async (
  { store, signingSecrets, payloadOf, sender, clock }: DeliverDeps,
  webhook: WebhookRow,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Answer> => {
  const { tenant, id, url } = webhook;
  const now = clock.now();
  const [event] = await store.readStream(delivery.stream, delivery.revision, 1);
  if (event?.id !== delivery.id) return GONE_FROM_LOG;
  const secrets = await signingSecrets.inForce(tenant, id, webhook, now);
  if (secrets.length === 0) return NO_SECRET;
  const body = await payloadOf(tenant, event);
  return sender.send({ url, id: delivery.id, at: now, secrets, body }, signal);
};

const unsent = (reason: string): Answer => ({ isSuccess: false, status: null, reason, askedMs: 0 });
const GONE_FROM_LOG = unsent('the event is not in the log any more');
const NO_SECRET = unsent('the service has no signing secret of this webhook: rotate it');

const disable = async (
  { execute, clock, ids, log, disabled }: AttemptDeps,
  { id, tenant, enabledAt }: WebhookRow,
  { id: causationId }: Delivery,
  because: DisableWebhook['because'],
  detail: string,
): Promise<void> => {
  const actor = { kind: 'worker', id: 'webhooks' } as const;
  const context = { tenant, actor, correlationId: ids.newId(), causationId };
  const command = { type: 'disable', because, detail, enabledAt, at: clock.now() } as const;
  const { events } = await execute(aggregate, webhookStream(id), command, context);
  disabled.set(id, enabledAt);
  if (events.length > 0) log.warn('a webhook was disabled', { webhook: id, because, detail });
};
