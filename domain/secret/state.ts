import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import type { SecretEvent } from './events.ts';
import type { SecretType } from './secret-type.ts';

/** That a data source names the secret. */
export interface SecretUse {
  readonly dataSourceId: string;
  /** Unix milliseconds. */
  readonly at: number;
}
export interface KeptSecret {
  readonly status: 'kept';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** When name, expiry or value were changed last, by a caller. */
  readonly changedAt: number;
  /** By data source. */
  readonly uses: PersistentMap<SecretUse>;
}
export type SecretState = { readonly status: 'none' } | KeptSecret | { readonly status: 'deleted' };

export const initial: SecretState = { status: 'none' };

export const evolve = (state: SecretState, event: SecretEvent): SecretState => {
  if (event.type === 'SecretCreated') {
    const { type: _, at, ...facts } = event;
    return { status: 'kept', ...facts, createdAt: at, changedAt: at, uses: emptyMap() };
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
