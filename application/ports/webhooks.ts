import type { ActiveWebhook } from '../../domain/webhook/decider.ts';
import type { Position } from './event-store.ts';
import type { Page, PageRequest } from './page.ts';

export interface WebhookRow extends Omit<ActiveWebhook, 'status'> {
  readonly id: string;
  readonly tenant: string;
  readonly deleted: boolean;
  readonly revision: bigint;
}

/** Reads webhooks, without deleted ones and without their secrets. Eventually consistent: see ReadGate. */
export interface WebhookView {
  readonly get: (tenant: string, id: string) => Promise<WebhookRow | null>;
  /** Newest first. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<WebhookRow>>;
}

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event that is sent to one webhook. Times in Unix milliseconds. */
export interface NewDelivery {
  /** That of the event. */
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly type: string;
  /** Deliveries of one lane are made one after the other, in the order of the log. */
  readonly lane: string;
}
export interface Delivery extends NewDelivery {
  readonly webhookId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Null before the first attempt. */
  readonly firstAt: number | null;
  /** Null unless it is pending. */
  readonly nextAt: number | null;
  /** HTTP status of the last answer; null: there was none. */
  readonly status: number | null;
  /** Why the last attempt failed; empty: it did not. */
  readonly reason: string;
  readonly createdAt: number;
  /** Null while it is pending. */
  readonly settledAt: number | null;
}

/** What is wrong with a webhook of which every attempt fails. */
export interface Failing {
  /** Unix milliseconds: of the first failure since the last success. */
  readonly since: number;
  /** Why the oldest event that waits was not delivered; empty: none waits any more. */
  readonly reason: string;
}

/** The outcome of an attempt. */
export interface AttemptRecord {
  readonly state: DeliveryState;
  readonly firstAt: number;
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly reason: string;
  readonly at: number;
}

/** A webhook that deliveries are made for, and where they are. */
export interface FollowedWebhook {
  readonly webhook: WebhookRow;
  /** Every matching event up to here has a delivery. */
  readonly position: Position;
  /** Since when every attempt failed; null: the last one succeeded, or there was none. */
  readonly failingSince: number | null;
}

/**
 * What is to be sent, and what was. Every write is a transaction, on disk before it resolves, and compares what it
 * changes: of two processes that both believe to lead, one succeeds.
 */
export interface WebhookDeliveries {
  /**
   * The enabled webhooks of all tenants. One that is new begins at its `from`; one that was enabled again begins its
   * attempts anew, so that everything pending is due.
   */
  readonly followed: (now: number) => Promise<readonly FollowedWebhook[]>;
  /** Adds deliveries and moves the place from `from` to `to`, both or nothing. False: the place is not at `from`. */
  readonly add: (
    webhookId: string,
    from: Position,
    to: Position,
    deliveries: readonly NewDelivery[],
    now: number,
  ) => Promise<boolean>;
  /** The number of pending deliveries. */
  readonly pending: (webhookId: string) => Promise<number>;
  /** The first pending delivery of each lane that is due, without lanes of `except`: the oldest first. */
  readonly due: (
    webhookId: string,
    now: number,
    except: readonly string[],
    limit: number,
  ) => Promise<readonly Delivery[]>;
  /** The first pending delivery of a lane if it is due. */
  readonly next: (webhookId: string, lane: string, now: number) => Promise<Delivery | null>;
  /**
   * Records an attempt at `delivery` as it was read. Returns since when every attempt of the webhook failed, null after
   * a success; undefined: the delivery has changed meanwhile, and nothing was recorded.
   */
  readonly record: (delivery: Delivery, attempt: AttemptRecord) => Promise<number | null | undefined>;
  /** Those of these webhooks whose last attempt failed. */
  readonly failing: (webhookIds: readonly string[]) => Promise<ReadonlyMap<string, Failing>>;
  /** Newest first by position. @throws DomainError invalid_cursor, see PageRequest */
  readonly list: (
    webhookId: string,
    state: DeliveryState | undefined,
    page: PageRequest,
  ) => Promise<Pick<Page<Delivery>, 'rows' | 'hasMore'>>;
  /**
   * Makes a delivery due at once. One that is not pending any more gets a lane of its own, and holds back no other.
   * Null: there is none.
   */
  readonly again: (webhookId: string, id: string, now: number) => Promise<Delivery | null>;
  /** Forgets everything of a webhook. */
  readonly forget: (webhookId: string) => Promise<void>;
  /** Forgets what was delivered or died before these times, and everything of webhooks that were deleted. */
  readonly sweep: (deliveredBefore: number, diedBefore: number) => Promise<void>;
}

/** The answer to one request. */
export interface Answer {
  readonly isSuccess: boolean;
  /** Null: none came. */
  readonly status: number | null;
  /** Empty for a success. Says nothing of what was sent, and repeats no word of the receiver. */
  readonly reason: string;
  /** A delay that the receiver asked for, in milliseconds; 0: none. */
  readonly askedMs: number;
}

export interface WebhookMessage {
  readonly url: string;
  /** Stable over all attempts. */
  readonly id: string;
  /** Unix milliseconds: of this attempt. */
  readonly at: number;
  /** `whsec_…`; each signs. */
  readonly secrets: readonly string[];
  readonly body: string;
}

export interface WebhookSender {
  /**
   * Sends one message, signed as Standard Webhooks asks. Follows no redirect; waits 15 s at most.
   *
   * @throws the reason of `signal` once it aborts; any other failure is an answer
   */
  readonly send: (message: WebhookMessage, signal: AbortSignal) => Promise<Answer>;
}

export interface WebhookSecretSource {
  /** `whsec_` and 32 random bytes in base64. */
  readonly newWebhookSecret: () => string;
}
