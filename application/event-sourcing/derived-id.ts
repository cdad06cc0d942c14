import { uuidFromHash } from '../../domain/shared/uuid-from-hash.ts';
import type { Hash } from '../ports/identity.ts';

/** A stable id from names: the same names always give the same UUID (version 8, RFC 9562 §5.8, over SHA-256). */
export const derivedId = (hash: Hash, kind: string, ...names: readonly string[]): string =>
  uuidFromHash(Buffer.from(hash.sha256(JSON.stringify([kind, ...names])), 'hex'));
