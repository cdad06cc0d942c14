import type { SecretEvent } from '../../domain/secret/decider.ts';
import type { SecretRow } from '../ports/secrets.ts';
import type { RowContext } from './data-source-row.ts';

/** A deleted one stays as a row that no read shows: a list may go on after it. */
export const secretRow = (
  row: SecretRow | null,
  event: SecretEvent,
  { id, tenant, revision }: RowContext,
): SecretRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'SecretCreated') {
    const { name, secretType, expiresAt, at } = event;
    const times = { expiresAt, createdAt: at, changedAt: at };
    return { id, tenant, name, secretType, ...times, inUse: 0, deleted: false, revision };
  }
  if (row === null) return null;
  switch (event.type) {
    case 'SecretChanged': {
      const { name, expiresAt, at } = event;
      return { ...row, name, expiresAt, changedAt: at, revision };
    }
    case 'SecretValueReplaced':
      return { ...row, changedAt: event.at, revision };
    case 'SecretRenewed':
      return { ...row, revision };
    case 'SecretAttached':
      return { ...row, inUse: row.inUse + 1, revision };
    case 'SecretDetached':
      return { ...row, inUse: row.inUse - 1, revision };
    case 'SecretDeleted':
      return { ...row, deleted: true, revision };
  }
};
