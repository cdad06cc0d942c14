import { hideableFields, type SaltOf, saltedHash, type StoredEvent } from './leaf.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Sha256 } from './merkle.ts';

/**
 * One line of an export that can be checked against a checkpoint (docs/verify-export.mjs). The lines of an export have
 * every index from 0 up to the size of the tree. A line without `event` stands for one that the export leaves out.
 */
export interface ExportLine {
  /** Of the leaf in the tree of the tenant. */
  readonly index: number;
  /** In base64. */
  readonly leaf_hash: string;
  /** As it is stored, but for hideable fields that its reader may not see. */
  readonly event?: Omit<StoredEvent, 'revision'> & { readonly revision: number };
  /** Of each hideable field the salt, in base64; for a reader who may not see it the salted hash of its value. */
  readonly hidden?: { readonly [field: string]: { readonly salt: string } | { readonly hash: string } };
}

/**
 * @param shown the data that the reader may see
 * @param leaf the place of its leaf, and its hash
 */
export const exportLine = (
  sha256: Sha256,
  saltOf: SaltOf,
  { id, stream, revision, type, data, metadata }: StoredEvent,
  shown: StoredEvent['data'],
  leaf: { readonly index: number; readonly hash: Uint8Array },
): ExportLine => {
  const hidden = hideableFields({ stream, data }).map((field) => {
    const salt = saltOf(id, field);
    const isShown = field in shown && canonicalJson(shown[field]) === canonicalJson(data[field]);
    const base64 = Buffer.from(salt).toString('base64');
    return [field, isShown ? { salt: base64 } : { hash: saltedHash(sha256, salt, data[field]) }];
  });
  return {
    index: leaf.index,
    leaf_hash: Buffer.from(leaf.hash).toString('base64'),
    event: { id, stream, revision: Number(revision), type, data: shown, metadata },
    ...(hidden.length > 0 && { hidden: Object.fromEntries(hidden) }),
  };
};
