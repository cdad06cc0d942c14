import { type MasterKey, KeyDestroyed } from '../../../application/ports/vault.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

const FOREIGN_KEY_VIOLATION = '23503';
/** The data key of a text was destroyed while the text was being written. */
export const lostItsKey = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === FOREIGN_KEY_VIOLATION;

export const destroyed = (owner: string): KeyDestroyed => new KeyDestroyed(`${owner} has no data key`);

export const retired = (): Error =>
  new Error('the master key of this process was replaced by a rotation: start it again with the new one');

export const otherMaster = (owner: string, id: string): Error =>
  new Error(
    `the data key of ${owner} is wrapped by master key ${id}, which is not the one in use: add it to KNOWLEDGER_MASTER_KEY_PREVIOUS`,
  );

export const mustHave = (masterKey: MasterKey | null): MasterKey => {
  if (masterKey !== null) return masterKey;
  throw new DomainError(
    'not_configured',
    'conversations and secrets are kept encrypted, and this service has no master key: set KNOWLEDGER_MASTER_KEY',
  );
};
