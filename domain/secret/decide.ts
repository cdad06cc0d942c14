import { DomainError } from '../shared/domain-error.ts';
import type { AttachSecret, ChangeSecret, SecretCommand } from './commands.ts';
import type { SecretEvent } from './events.ts';
import type { KeptSecret, SecretState } from './state.ts';

export const decide = (command: SecretCommand, state: SecretState): readonly SecretEvent[] => {
  switch (command.type) {
    case 'create':
      // The request was repeated; what became of the secret since stays.
      return state.status === 'none' ? [{ ...command, type: 'SecretCreated' }] : [];
    case 'change':
      if (state.status !== 'kept') throw noSuch();
      return change(command, state);
    case 'renew': {
      // A caller was faster, with a value of its own, or by deleting it.
      if (state.status !== 'kept' || state.valueId !== command.from) return [];
      return [{ type: 'SecretRenewed', valueId: command.valueId, at: command.at }];
    }
    case 'attach':
      if (state.status !== 'kept') throw namesNone();
      return attach(command, state);
    case 'detach': {
      const { dataSourceId, at } = command;
      if (state.status !== 'kept' || !state.uses.has(dataSourceId)) return [];
      return [{ type: 'SecretDetached', dataSourceId, at }];
    }
    case 'delete':
      if (state.status !== 'kept') throw noSuch();
      if (state.uses.size > 0) throw inUse(state);
      return [{ type: 'SecretDeleted', at: command.at }];
  }
};

const change = (command: ChangeSecret, state: KeptSecret): readonly SecretEvent[] => {
  const { name = state.name, expiresAt = state.expiresAt, valueId, at } = command;
  const events: SecretEvent[] = [];
  if (name !== state.name || expiresAt !== state.expiresAt)
    events.push({ type: 'SecretChanged', name, expiresAt, at });
  if (valueId !== undefined && valueId !== state.valueId)
    events.push({ type: 'SecretValueReplaced', valueId, at });
  return events;
};

const attach = (command: AttachSecret, state: KeptSecret): readonly SecretEvent[] => {
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

const inUse = ({ uses }: KeptSecret): DomainError => {
  const [first] = uses.values();
  const who = uses.size === 1 ? 'a data source names' : `${uses.size} data sources name`;
  return new DomainError(
    'secret_in_use',
    `${who} this secret (${first?.dataSourceId}): give it another one in its settings, or delete it first`,
  );
};

/** Named in a path it is not found like any other resource; named by a data source, it has a code of its own. */
const noSuch = (): DomainError => new DomainError('not_found', 'there is no such secret');
const namesNone = (): DomainError => new DomainError('secret_not_found', 'secret_id names no secret');
