import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Bytes, verifyEd25519 } from '../../../adapters/system/proof.ts';
import { parseCheckpoint } from '../../../domain/proof/checkpoint.ts';
import {
  consistencyPath,
  foldRight,
  growingTree,
  inclusionPath,
  leafHash,
  rootOf,
  type Subtree,
} from '../../../domain/proof/merkle.ts';
import { formatVerifierKey, parseNote, parseVerifierKey, verifiedBy } from '../../../domain/proof/note.ts';

/**
 * Made by golang.org/x/mod 0.43.0 (`sumdb/tlog`, `sumdb/note`) and github.com/transparency-dev/formats (cosignature) of
 * leaves `leaf 0`, `leaf 1` and so on.
 */
const GO = JSON.parse(readFileSync(new URL('go-vectors.json', import.meta.url), 'utf8')) as {
  readonly roots: Readonly<Record<string, string>>;
  readonly inclusion: readonly Proof[];
  readonly consistency: readonly Proof[];
  readonly key: string;
  readonly witness: string;
  readonly note: string;
};
interface Proof {
  readonly from: number;
  readonly size: number;
  readonly hashes: readonly string[];
}

const leaves = Array.from({ length: 600 }, (_, n) => leafHash(sha256Bytes, `leaf ${n}`));
const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');
const hashOf = ({ level, index }: Subtree): Uint8Array =>
  rootOf(sha256Bytes, leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
const over = (subtrees: readonly Subtree[]): string => base64(foldRight(sha256Bytes, subtrees.map(hashOf)));

describe('as Go has it, so is', () => {
  it('the root of a tree that grows', () => {
    const tree = growingTree(sha256Bytes);
    const roots: Record<string, string> = {};
    for (const leaf of leaves) {
      tree.add(leaf);
      if (`${tree.size()}` in GO.roots) roots[tree.size()] = base64(tree.root());
    }
    expect(roots).toEqual(GO.roots);
  });

  it('the proof that a leaf is in a tree, and that a tree has only grown', () => {
    for (const { from, size, hashes } of GO.inclusion)
      expect([from, size, inclusionPath(from, size).map(over)]).toEqual([from, size, hashes]);
    for (const { from, size, hashes } of GO.consistency)
      expect([from, size, consistencyPath(from, size).map(over)]).toEqual([from, size, hashes]);
    expect([consistencyPath(0, 7), consistencyPath(7, 7)]).toEqual([[], []]);
  });

  it('a signed checkpoint, and the signature of a witness on it', () => {
    const note = parseNote(GO.note)!;
    expect(parseCheckpoint(note.text)).toMatchObject({ origin: 'log.example/a', size: 600 });
    const [log, witness] = [GO.key, GO.witness].map((text) => parseVerifierKey(sha256Bytes, text)!);
    expect(formatVerifierKey(sha256Bytes, witness!)).toBe(GO.witness);
    expect(verifiedBy(sha256Bytes, verifyEd25519, log!, note)).toMatchObject({ time: null });
    const { time, line } = verifiedBy(sha256Bytes, verifyEd25519, witness!, note)!;
    expect(line).toBe(note.signatures[1]);
    expect(time).toBeGreaterThan(1_700_000_000);
    const changed = { ...note, text: note.text.replace('600', '601') };
    expect(verifiedBy(sha256Bytes, verifyEd25519, witness!, changed)).toBeNull();
  });
});
