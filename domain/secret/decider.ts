import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

/** The types of secrets, which determine their parts and their use. */
export const SECRET_TYPES = ['token', 'basic', 'oauth_refresh', 'service_account', 'app'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** Events of one secret. They never contain its value: `valueId` refers to a text in the vault. */

export interface SecretCreated {
  readonly type: 'SecretCreated';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  /** Unix milliseconds; the secret is not used afterwards. Null for never. */
  readonly expiresAt: number | null;
  readonly at: number;
}
/** Contains both the name and the expiry. */
export interface SecretChanged {
  readonly type: 'SecretChanged';
  readonly name: string;
  readonly expiresAt: number | null;
  readonly at: number;
}
/** A caller has set another value; the previous one is deleted. */
export interface SecretValueReplaced {
  readonly type: 'SecretValueReplaced';
  readonly valueId: string;
  readonly at: number;
}
/** The provider has issued a new token in place of the stored one. */
export interface SecretRenewed {
  readonly type: 'SecretRenewed';
  readonly valueId: string;
  readonly at: number;
}
/** A data source uses the secret. */
export interface SecretAttached {
  readonly type: 'SecretAttached';
  readonly dataSourceId: string;
  readonly at: number;
}
/** The data source no longer uses it, or is deleted. */
export interface SecretDetached {
  readonly type: 'SecretDetached';
  readonly dataSourceId: string;
  readonly at: number;
}
/** The key of its value was destroyed before this event. */
export interface SecretDeleted {
  readonly type: 'SecretDeleted';
  readonly at: number;
}
export type SecretEvent =
  | SecretCreated
  | SecretChanged
  | SecretValueReplaced
  | SecretRenewed
  | SecretAttached
  | SecretDetached
  | SecretDeleted;

export interface CreateSecret {
  readonly type: 'create';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  readonly expiresAt: number | null;
  readonly at: number;
}
/** Absent fields keep their values. */
export interface ChangeSecret {
  readonly type: 'change';
  readonly name?: string;
  readonly expiresAt?: number | null;
  /** Id of the new value. */
  readonly valueId?: string;
  readonly at: number;
}
/** The provider issued `valueId` in exchange for the value `from`. */
export interface RenewSecret {
  readonly type: 'renew';
  readonly from: string;
  readonly valueId: string;
  readonly at: number;
}
export interface AttachSecret {
  readonly type: 'attach';
  readonly dataSourceId: string;
  /** The types that the data source can use. */
  readonly secretTypes: readonly SecretType[];
  readonly at: number;
}
export interface DetachSecret {
  readonly type: 'detach';
  readonly dataSourceId: string;
  readonly at: number;
}
export interface DeleteSecret {
  readonly type: 'delete';
  readonly at: number;
}
export type SecretCommand =
  | CreateSecret
  | ChangeSecret
  | RenewSecret
  | AttachSecret
  | DetachSecret
  | DeleteSecret;

/** The use of a secret by a data source. */
export interface SecretUse {
  readonly dataSourceId: string;
  /** Unix milliseconds. */
  readonly at: number;
}
export interface ActiveSecret {
  readonly status: 'active';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** When a caller last changed the name, the expiry or the value. */
  readonly changedAt: number;
  /** By data source. */
  readonly uses: PersistentMap<SecretUse>;
}
export type SecretState = { readonly status: 'none' } | ActiveSecret | { readonly status: 'deleted' };

const initial: SecretState = { status: 'none' };

const evolve = (state: SecretState, event: SecretEvent): SecretState => {
  if (event.type === 'SecretCreated') {
    const { type: _, at, ...facts } = event;
    return { status: 'active', ...facts, createdAt: at, changedAt: at, uses: emptyMap() };
  }
  if (state.status === 'none') throw new Error(`${event.type} before SecretCreated`);
  if (state.status === 'deleted') return state;
  switch (event.type) {
    case 'SecretChanged': {
      const { name, expiresAt, at } = event;
      return { ...state, name, expiresAt, changedAt: at };
    }
    case 'SecretValueReplaced':
      return { ...state, valueId: event.valueId, changedAt: event.at };
    case 'SecretRenewed':
      return { ...state, valueId: event.valueId };
    case 'SecretAttached': {
      const { dataSourceId, at } = event;
      return { ...state, uses: state.uses.with(dataSourceId, { dataSourceId, at }) };
    }
    case 'SecretDetached':
      return { ...state, uses: state.uses.without(event.dataSourceId) };
    case 'SecretDeleted':
      return { status: 'deleted' };
  }
};

const decide = (command: SecretCommand, state: SecretState): readonly SecretEvent[] => {
  switch (command.type) {
    case 'create':
      // A repeated request: later changes of the secret are kept.
      return state.status === 'none' ? [{ ...command, type: 'SecretCreated' }] : [];
    case 'change':
      if (state.status !== 'active') throw noSuch();
      return change(command, state);
    case 'renew': {
      // A caller has meanwhile set another value or deleted the secret.
      if (state.status !== 'active' || state.valueId !== command.from) return [];
      return [{ type: 'SecretRenewed', valueId: command.valueId, at: command.at }];
    }
    case 'attach':
      if (state.status !== 'active') throw unknownSecret();
      return attach(command, state);
    case 'detach': {
      const { dataSourceId, at } = command;
      if (state.status !== 'active' || !state.uses.has(dataSourceId)) return [];
      return [{ type: 'SecretDetached', dataSourceId, at }];
    }
    case 'delete':
      if (state.status !== 'active') throw noSuch();
      if (state.uses.size > 0) throw inUse(state);
      return [{ type: 'SecretDeleted', at: command.at }];
  }
};

const change = (command: ChangeSecret, state: ActiveSecret): readonly SecretEvent[] => {
  const { name = state.name, expiresAt = state.expiresAt, valueId, at } = command;
  const events: SecretEvent[] = [];
  if (name !== state.name || expiresAt !== state.expiresAt)
    events.push({ type: 'SecretChanged', name, expiresAt, at });
  if (valueId !== undefined && valueId !== state.valueId)
    events.push({ type: 'SecretValueReplaced', valueId, at });
  return events;
};

const attach = (command: AttachSecret, state: ActiveSecret): readonly SecretEvent[] => {
  const { dataSourceId, secretTypes, at } = command;
  if (!secretTypes.includes(state.secretType)) {
    const takes = secretTypes.length === 0 ? 'none' : secretTypes.join(', ');
    throw new DomainError(
      'invalid_request',
      `the secret of secret_id is of type ${state.secretType}; this kind of data source takes: ${takes}`,
    );
  }
  return state.uses.has(dataSourceId) ? [] : [{ type: 'SecretAttached', dataSourceId, at }];
};

const inUse = ({ uses }: ActiveSecret): DomainError => {
  const [first] = uses.values();
  const who = uses.size === 1 ? 'a data source names' : `${uses.size} data sources name`;
  return new DomainError(
    'secret_in_use',
    `${who} this secret (${first?.dataSourceId}): first set another secret in the settings of each data source, or delete the data source`,
  );
};

/** An unknown secret in a path is `not_found`, like any other resource; an unknown `secret_id` has its own code. */
const noSuch = (): DomainError => new DomainError('not_found', 'there is no such secret');
const unknownSecret = (): DomainError => new DomainError('secret_not_found', 'secret_id names no secret');

export const secret: Decider<SecretCommand, SecretEvent, SecretState, 'secret'> = {
  category: 'secret',
  initial,
  decide,
  evolve,
};
