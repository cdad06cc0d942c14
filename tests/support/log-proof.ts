import { createHash } from 'node:crypto';
import type { NewEvent, RecordedEvent } from '../../application/ports/event-store.ts';
import type { SaltOf } from '../../domain/proof/leaf.ts';
import { leafOf } from '../../domain/proof/leaf.ts';
import { sha256Bytes } from '../../adapters/system/proof.ts';
import { OUR_MARKS } from './newer-version.ts';

/** An event of ours, of one tenant. */
export const eventOf = (tenant: string, data: NewEvent['data'] = {}, type = 'FactOfTomorrow'): NewEvent => ({
  id: crypto.randomUUID(),
  type,
  data,
  metadata: { ...OUR_MARKS, tenant },
});

const sha = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** Merkle Tree Hash, word for word as RFC 9162 defines it in section 2.1.1. */
export const treeHash = (leaves: readonly string[]): Buffer => {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.of(0), Buffer.from(leaves[0]!));
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
};

export const leavesOf = (events: readonly RecordedEvent[], saltOf: SaltOf): readonly string[] =>
  events.map((event) => leafOf(sha256Bytes, saltOf, event));

const decoded = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => Buffer.from(hash, 'base64'));
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha(Buffer.of(1), left, right);

/** Verifies an inclusion proof as RFC 9162 says in section 2.1.3.2. */
export const provesInclusion = (
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
  root: Buffer,
): boolean => {
  if (index >= size) return false;
  let [fn, sn, r] = [index, size - 1, treeHash([leaf])];
  for (const p of decoded(proof)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = node(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = node(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && r.equals(root);
};

interface Head {
  readonly size: number;
  readonly root_hash: string;
}

/** Verifies a consistency proof as RFC 9162 says in section 2.1.4.2. */
export const provesConsistency = (first: Head, second: Head, proof: readonly string[]): boolean => {
  const [firstHash, secondHash] = decoded([first.root_hash, second.root_hash]) as [Buffer, Buffer];
  if (first.size === second.size) return proof.length === 0 && firstHash.equals(secondHash);
  const path = decoded(proof);
  if (Number.isInteger(Math.log2(first.size))) path.unshift(firstHash);
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0]!, path[0]!];
  for (const c of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(firstHash) && sr.equals(secondHash);
};
