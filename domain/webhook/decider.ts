import type { Decider } from '../shared/decider.ts';
import { DomainError } from '../shared/domain-error.ts';

/** Which events are sent, and where to. */
export interface Subscription {
  /** Not a secret: it is in events. */
  readonly url: string;
  readonly description: string;
  /** Stored names of event types, categories of streams, and data sources; all hold together. Null: every one. */
  readonly types: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly sourceGroupIds: readonly string[] | null;
}

/** Events of one webhook. They never contain a signing secret: `secretId` refers to a text in the vault. */

export interface WebhookCreated extends Subscription {
  readonly type: 'WebhookCreated';
  readonly secretId: string;
  /** Position in the log after which events are sent. */
  readonly from: string;
  readonly at: number;
}
/** Contains all of the subscription. */
export interface WebhookChanged extends Subscription {
  readonly type: 'WebhookChanged';
  readonly at: number;
}
/** Deliveries go on where they stopped. */
export interface WebhookEnabled {
  readonly type: 'WebhookEnabled';
  readonly at: number;
}
/** Nothing is sent any more. `failing`: for a day no delivery succeeded; `gone`: the receiver answered 410. */
export interface WebhookDisabled {
  readonly type: 'WebhookDisabled';
  readonly because: DisabledBecause;
  /** What the receiver last answered; empty where a caller disabled it. */
  readonly detail: string;
  readonly at: number;
}
/** Both secrets sign until `previousUntil` (Unix milliseconds), then the new one alone. */
export interface WebhookSecretRotated {
  readonly type: 'WebhookSecretRotated';
  readonly secretId: string;
  readonly previousUntil: number;
  readonly at: number;
}
/** The key of its secrets is destroyed after this event. */
export interface WebhookDeleted {
  readonly type: 'WebhookDeleted';
  readonly at: number;
}
export type WebhookEvent =
  | WebhookCreated
  | WebhookChanged
  | WebhookEnabled
  | WebhookDisabled
  | WebhookSecretRotated
  | WebhookDeleted;

export const DISABLED_BECAUSE = ['caller', 'failing', 'gone'] as const;
export type DisabledBecause = (typeof DISABLED_BECAUSE)[number];

export interface CreateWebhook extends Omit<WebhookCreated, 'type'> {
  readonly type: 'create';
}
/** Absent fields keep their values. */
export interface ChangeWebhook extends Partial<Subscription> {
  readonly type: 'change';
  readonly enabled?: boolean;
  readonly at: number;
}
/** Of the service itself. It must not undo a decision of a caller: `enabledAt` is the state that it has seen. */
export interface DisableWebhook {
  readonly type: 'disable';
  readonly because: Exclude<DisabledBecause, 'caller'>;
  readonly detail: string;
  readonly enabledAt: number;
  readonly at: number;
}
export interface RotateWebhookSecret {
  readonly type: 'rotate';
  readonly secretId: string;
  readonly at: number;
}
export interface DeleteWebhook {
  readonly type: 'delete';
  readonly at: number;
}
export type WebhookCommand =
  | CreateWebhook
  | ChangeWebhook
  | DisableWebhook
  | RotateWebhookSecret
  | DeleteWebhook;

export interface ActiveWebhook extends Subscription {
  readonly status: 'active';
  readonly enabled: boolean;
  /** When it was last enabled, in Unix milliseconds. */
  readonly enabledAt: number;
  /** Null while it is enabled. */
  readonly disabled: Pick<WebhookDisabled, 'because' | 'detail' | 'at'> | null;
  readonly secretId: string;
  readonly previousSecret: { readonly id: string; readonly until: number } | null;
  readonly from: string;
  readonly createdAt: number;
  /** When a caller last changed the subscription, in Unix milliseconds. */
  readonly changedAt: number;
}
export type WebhookState = { readonly status: 'none' } | ActiveWebhook | { readonly status: 'deleted' };

/** How long a replaced secret still signs, in milliseconds. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

const initial: WebhookState = { status: 'none' };

const evolve = (state: WebhookState, event: WebhookEvent): WebhookState => {
  if (event.type === 'WebhookCreated') {
    const { type: _, at, ...facts } = event;
    const times = { createdAt: at, changedAt: at, enabledAt: at };
    return { status: 'active', ...facts, ...times, enabled: true, disabled: null, previousSecret: null };
  }
  if (state.status === 'none') throw new Error(`${event.type} before WebhookCreated`);
  if (state.status === 'deleted') return state;
  switch (event.type) {
    case 'WebhookChanged': {
      const { type: _, at, ...subscription } = event;
      return { ...state, ...subscription, changedAt: at };
    }
    case 'WebhookEnabled':
      return { ...state, enabled: true, enabledAt: event.at, disabled: null };
    case 'WebhookDisabled': {
      const { because, detail, at } = event;
      return { ...state, enabled: false, disabled: { because, detail, at } };
    }
    case 'WebhookSecretRotated': {
      const previousSecret = { id: state.secretId, until: event.previousUntil };
      return { ...state, secretId: event.secretId, previousSecret };
    }
    case 'WebhookDeleted':
      return { status: 'deleted' };
  }
};

const decide = (command: WebhookCommand, state: WebhookState): readonly WebhookEvent[] => {
  switch (command.type) {
    case 'create':
      // A repeated request: later changes of the webhook are kept.
      return state.status === 'none' ? [{ ...command, type: 'WebhookCreated' }] : [];
    case 'change':
      return change(command, mustBeActive(state));
    case 'disable': {
      if (state.status !== 'active' || !state.enabled || state.enabledAt !== command.enabledAt) return [];
      const { because, detail, at } = command;
      return [{ type: 'WebhookDisabled', because, detail, at }];
    }
    case 'rotate': {
      const { at, secretId } = command;
      mustBeActive(state);
      return [{ type: 'WebhookSecretRotated', secretId, previousUntil: at + SECRET_OVERLAP_MS, at }];
    }
    case 'delete':
      mustBeActive(state);
      return [{ type: 'WebhookDeleted', at: command.at }];
  }
};

const change = (command: ChangeWebhook, state: ActiveWebhook): readonly WebhookEvent[] => {
  const { at, enabled = state.enabled } = command;
  const before = subscriptionOf(state);
  const after = subscriptionOf({ ...before, ...command });
  const events: WebhookEvent[] = [];
  if (JSON.stringify(after) !== JSON.stringify(before)) events.push({ type: 'WebhookChanged', ...after, at });
  if (enabled && !state.enabled) events.push({ type: 'WebhookEnabled', at });
  if (!enabled && state.enabled) events.push({ type: 'WebhookDisabled', because: 'caller', detail: '', at });
  return events;
};

const subscriptionOf = ({
  url,
  description,
  types,
  categories,
  sourceGroupIds,
}: Subscription): Subscription => ({ url, description, types, categories, sourceGroupIds });

const mustBeActive = (state: WebhookState): ActiveWebhook => {
  if (state.status === 'active') return state;
  throw new DomainError('not_found', 'there is no such webhook');
};

export const webhook: Decider<WebhookCommand, WebhookEvent, WebhookState, 'webhook'> = {
  category: 'webhook',
  initial,
  decide,
  evolve,
};
