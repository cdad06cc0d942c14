import type { SecretChange as Change } from '../../../application/access/secrets/operations.ts';
import type { SecretRecord } from '../../../application/access/secrets/record.ts';
import type { Secret, SecretChange, SecretCreate } from '../schemas/secret.ts';
import { seconds } from './data-source-record.ts';

export const secretRecord = (record: SecretRecord): Secret => ({
  id: record.id,
  name: record.name,
  type: record.secretType,
  ...(record.expiresAt !== null && { expires_at: seconds(record.expiresAt) }),
  creation_time: seconds(record.createdAt),
  change_time: seconds(record.changedAt),
  ...(record.lastUsedAt !== null && { last_used_time: seconds(record.lastUsedAt) }),
  in_use_count: record.inUse,
});

export const secretRequest = ({ name, type, value, expires_at: expiresAt = null }: SecretCreate) => ({
  name,
  secretType: type,
  value,
  expiresAt: millis(expiresAt),
});

export const secretChange = ({ name, type, value, expires_at: expiresAt }: SecretChange): Change => ({
  ...(name !== undefined && { name }),
  ...(type !== undefined && { secretType: type }),
  ...(value !== undefined && { value }),
  ...(expiresAt !== undefined && { expiresAt: millis(expiresAt) }),
});

const millis = (seconds_: number | null): number | null => (seconds_ === null ? null : seconds_ * 1_000);
