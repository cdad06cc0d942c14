import { type ActiveWebhook, webhook, type Subscription } from '../../domain/webhook/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { fold } from '../../domain/shared/decider.ts';
import { snakeKeys } from '../../domain/shared/key-case.ts';
import { mustBeKnown } from '../access/api-keys/operations.ts';
import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import {
  type Claimed,
  type IdempotentDeps,
  type Written,
  idempotently,
} from '../event-sourcing/idempotent.ts';
import { webhookStream } from '../event-sourcing/streams.ts';
import { BEGINNING, type EventFeed, type EventStreams, type Position } from '../ports/event-store.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type {
  Answer,
  Delivery,
  DeliveryState,
  Failing,
  WebhookDeliveries,
  WebhookRow,
  WebhookSecretSource,
  WebhookSender,
  WebhookView,
} from '../ports/webhooks.ts';
import { payload } from './payload.ts';
import type { SigningSecrets } from './signing-secrets.ts';

export interface WebhookRecord extends Omit<
  WebhookRow,
  'tenant' | 'deleted' | 'revision' | 'secretId' | 'from'
> {
  /** Set by reads of today, of one that is enabled and fails. */
  readonly failing?: Failing;
}

/** A webhook with the secret that it signs with from now on. */
export interface IssuedWebhook {
  readonly record: WebhookRecord;
  /** Null for a repeated request whose secret was replaced since. */
  readonly secret: string | null;
}

export interface WebhookRequest extends Subscription {
  /** Position after which events are sent; undefined: the end of the log. */
  readonly from: Position | undefined;
}
/** Absent fields keep their values. */
interface WebhookChange extends Partial<Subscription> {
  readonly enabled?: boolean;
}

export interface WebhookDeps extends IdempotentDeps {
  readonly view: WebhookView;
  readonly deliveries: Pick<WebhookDeliveries, 'list' | 'again' | 'forget' | 'failing'>;
  readonly signingSecrets: SigningSecrets;
  readonly secrets: WebhookSecretSource;
  readonly sender: WebhookSender;
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly feed: Pick<EventFeed, 'head' | 'holds'>;
  /** Why this address cannot be reached; null where only a request would tell. */
  readonly refusalOf: (url: string) => string | null;
}

const NEVER = new AbortController().signal;
/** Webhooks of a tenant: each reads the log on its own. */
const MAX_WEBHOOKS = 100;

/**
 * Operations on webhooks. A webhook sends what the log of the tenant shows, so whoever makes or changes one must be
 * allowed to read it: the scope audit:read, and no restriction to source groups.
 */
export const createWebhookOperations = (deps: WebhookDeps) => {
  const { execute, view, deliveries, signingSecrets, clock } = deps;
  const allow = (caller: Caller): void => mustBeUnrestricted(caller, 'a webhook');
  const found = async (caller: Caller, id: string): Promise<WebhookRow> => {
    allow(caller);
    const row = await (caller.past?.webhooks ?? view).get(caller.tenant, id);
    if (row === null) throw noSuch();
    return row;
  };
  const active = async (caller: Caller, id: string): Promise<ActiveWebhook> => {
    allow(caller);
    const state = (await execute.load(webhook, webhookStream(id), caller.tenant))?.state;
    if (state?.status !== 'active') throw noSuch();
    return state;
  };

  /** What was delivered is known of today alone. */
  const recordsOf = async ({ past }: Caller, rows: readonly WebhookRow[]): Promise<WebhookRecord[]> => {
    const ids = past === undefined ? rows.flatMap(({ id, enabled }) => (enabled ? [id] : [])) : [];
    const failing = ids.length === 0 ? new Map<string, Failing>() : await deliveries.failing(ids);
    return rows.map((row) => {
      const fails = failing.get(row.id);
      return { ...recordOfRow(row), ...(fails !== undefined && { failing: fails }) };
    });
  };

  return {
    /** @throws DomainError url_not_allowed, not_found, invalid_cursor, conflict, not_configured, idempotency_conflict */
    create: async (
      caller: Caller,
      { from, ...subscription }: WebhookRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<IssuedWebhook>> => {
      allow(caller);
      mustReadLog(caller);
      await mustBeFollowable(deps, caller, subscription);
      if (from !== undefined && from !== BEGINNING && !(await deps.feed.holds(from)))
        throw new DomainError('invalid_cursor', 'from: the log ends before this position');
      const { total } = await view.list(caller.tenant, { limit: 1 });
      if (total >= MAX_WEBHOOKS)
        throw new DomainError('conflict', `there are ${total} webhooks: delete one that nobody needs`);
      const body = {
        operation: 'createWebhook',
        key: idempotencyKey,
        body: { ...subscription, from: from ?? null },
      };
      return idempotently(deps, body, 2, caller.context, (claimed) =>
        createWebhook(deps, caller, subscription, from, claimed),
      );
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: async (caller: Caller, page: PageRequest): Promise<Page<WebhookRecord>> => {
      allow(caller);
      const { rows, ...rest } = await (caller.past?.webhooks ?? view).list(caller.tenant, page);
      return { ...rest, rows: await recordsOf(caller, rows) };
    },

    get: async (caller: Caller, id: string): Promise<WebhookRecord> => {
      const [record] = await recordsOf(caller, [await found(caller, id)]);
      return record!;
    },

    /** What is not sent yet is sent to the new address. @throws DomainError url_not_allowed, not_found */
    change: async (caller: Caller, id: string, change: WebhookChange): Promise<Written<WebhookRecord>> => {
      allow(caller);
      mustReadLog(caller);
      await mustBeFollowable(deps, caller, change);
      const command = { type: 'change', ...change, at: clock.now() } as const;
      const done = await execute(webhook, webhookStream(id), command, caller.context);
      if (done.state.status !== 'active') throw noSuch();
      const record = recordOfState(id, done.state);
      return { record, position: done.position, changed: done.events.length > 0 };
    },

    /** When it resolves, nothing is left but the events, and no new delivery begins. */
    remove: async (caller: Caller, id: string): Promise<Written<string>> => {
      allow(caller);
      const { tenant, context } = caller;
      const before = await execute.load(webhook, webhookStream(id), tenant);
      const erase = async (): Promise<void> => {
        await signingSecrets.destroyKey(tenant, id);
        await deliveries.forget(id);
      };
      // Completes a deletion that was interrupted after its event.
      if (before?.state.status === 'deleted') await erase();
      const command = { type: 'delete', at: clock.now() } as const;
      const { position } = await execute(webhook, webhookStream(id), command, context);
      await erase();
      return { record: id, position, changed: true };
    },

    /** Makes another signing secret; the one before signs too, for 24 hours. */
    rotateSecret: async (caller: Caller, id: string): Promise<Written<IssuedWebhook>> => {
      const before = await active(caller, id);
      const { tenant, context } = caller;
      const secretId = deps.ids.newId();
      const secret = deps.secrets.newWebhookSecret();
      if (!(await signingSecrets.put(tenant, id, secretId, secret))) throw noSuch();
      const command = { type: 'rotate', secretId, at: clock.now() } as const;
      const { state, position } = await execute(webhook, webhookStream(id), command, context);
      if (state.status !== 'active') throw noSuch();
      // Two sign at most.
      if (before.previousSecret !== null) await signingSecrets.forget(tenant, id, before.previousSecret.id);
      return { record: { record: recordOfState(id, state), secret }, position, changed: true };
    },

    /** Sends a message of the type `webhook.test` now, also where the webhook is disabled. Nothing of it is kept. */
    test: async (caller: Caller, id: string): Promise<Answer> => {
      const state = await active(caller, id);
      const now = clock.now();
      const secrets = await signingSecrets.inForce(caller.tenant, id, state, now);
      if (secrets.length === 0) throw noSuch();
      const body = payload('webhook.test', now, snakeKeys({ webhookId: id }) as object);
      return deps.sender.send({ url: state.url, id: deps.ids.newId(), at: now, secrets, body }, NEVER);
    },

    /** Newest first, by their place in the log. @throws DomainError invalid_cursor */
    deliveries: async (
      caller: Caller,
      id: string,
      state: DeliveryState | undefined,
      page: PageRequest,
    ): Promise<Pick<Page<Delivery>, 'rows' | 'hasMore'>> => {
      await found(caller, id);
      return deliveries.list(id, state, page);
    },

    /** Makes a delivery due at once, with all its attempts before it. @throws DomainError conflict for a disabled one */
    redeliver: async (caller: Caller, id: string, deliveryId: string): Promise<Delivery> => {
      const { enabled } = await active(caller, id);
      if (!enabled)
        throw new DomainError('conflict', 'the webhook is disabled: enable it, then deliver again');
      const delivery = await deliveries.again(id, deliveryId, clock.now());
      if (delivery === null) throw new DomainError('not_found', 'there is no such delivery');
      return delivery;
    },
  };
};
export type WebhookOperations = ReturnType<typeof createWebhookOperations>;

/** Idempotent: a repeat returns the first answer, with the secret while that is still stored. */
const createWebhook = async (
  deps: WebhookDeps,
  { tenant, context }: Caller,
  subscription: Subscription,
  from: Position | undefined,
  { ids, at, replayed }: Claimed,
): Promise<Written<IssuedWebhook>> => {
  const [id, secretId] = ids as [string, string];
  const { execute, signingSecrets, feed, secrets } = deps;
  const stream = webhookStream(id);
  const existing = replayed ? await execute.load(webhook, stream, tenant) : null;
  if (existing === null || existing.state.status === 'none') {
    await signingSecrets.createKey(tenant, id);
    await signingSecrets.put(tenant, id, secretId, secrets.newWebhookSecret());
  }
  const begin = from ?? (await feed.head());
  const command = { type: 'create', ...subscription, secretId, from: begin, at } as const;
  const done = await execute(webhook, stream, command, context, { probablyNew: !replayed });
  // If the webhook was created by a concurrent repeat and deleted since, its key must not come back.
  if (done.state.status === 'deleted') await signingSecrets.destroyKey(tenant, id);
  const secret = await signingSecrets.read(tenant, id, secretId);
  const first = fold(webhook, webhook.decide(command, webhook.initial), webhook.initial) as ActiveWebhook;
  const record = { record: recordOfState(id, first), secret };
  return { record, position: done.position, changed: done.events.length > 0 };
};

const mustReadLog = ({ grant }: Caller): void => {
  if (grant.scopes.includes('audit:read')) return;
  throw new DomainError(
    'scope_not_grantable',
    'a webhook sends events of the log: whoever makes or changes one needs the scope audit:read too',
  );
};

const mustBeFollowable = async (
  { refusalOf, store }: WebhookDeps,
  { tenant }: Caller,
  { url, sourceGroupIds }: Partial<Subscription>,
): Promise<void> => {
  const refusal = url === undefined ? null : refusalOf(url);
  if (refusal !== null) throw new DomainError('url_not_allowed', refusal);
  await mustBeKnown(store, tenant, sourceGroupIds ?? []);
};

const recordOfRow = (row: WebhookRow): WebhookRecord => {
  const { tenant: _, deleted: __, revision: ___, secretId: ____, from: _____, ...record } = row;
  return record;
};

const recordOfState = (id: string, active: ActiveWebhook): WebhookRecord => {
  const { status: _, secretId: __, from: ___, ...state } = active;
  return { id, ...state };
};

const noSuch = (): DomainError => new DomainError('not_found', 'there is no such webhook');
