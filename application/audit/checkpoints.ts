import { checkpointText } from '../../domain/proof/checkpoint.ts';
import type { Sha256 } from '../../domain/proof/merkle.ts';
import { type Ed25519, signNote, type VerifierKey } from '../../domain/proof/note.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Clock } from '../ports/identity.ts';
import {
  type KeptCheckpoint,
  type KeptCheckpoints,
  LogTreeChanged,
  type LogTree,
} from '../ports/log-tree.ts';
import { treeHashes } from './tree-hashes.ts';

/** The key that signs the checkpoints of all tenants. */
export interface CheckpointSigner {
  readonly publicKey: Uint8Array;
  readonly sign: Ed25519['sign'];
}

export interface CheckpointDeps {
  readonly tree: LogTree;
  readonly kept: KeptCheckpoints;
  readonly sha256: Sha256;
  /** Null: this service signs no checkpoints. */
  readonly signer: () => Promise<CheckpointSigner | null>;
  /** The name of a tenant's log in its checkpoints, which no other log ever has. */
  readonly originOf: (tenant: string) => Promise<string>;
  readonly clock: Clock;
}

/** The key by which the checkpoints of one log are verified. */
export const verifierKey = (name: string, publicKey: Uint8Array): VerifierKey => ({
  name,
  algorithm: 'ed25519',
  publicKey,
});

/**
 * Returns the checkpoint of the tree as it is now: the latest one, or a new one if the tree has grown since. A new one
 * is signed only if the tree still begins with all that the latest one has signed.
 *
 * @throws DomainError not_configured without a key; unavailable while the tree is behind its latest checkpoint
 * @throws LogTreeChanged when the tree is not a continuation of its latest checkpoint
 */
export const createCheckpointMaker = ({ tree, kept, sha256, signer, originOf, clock }: CheckpointDeps) => {
  const make = async (tenant: string): Promise<KeptCheckpoint> => {
    // The tree last: it is never behind what it was.
    const latest = await kept.latest(tenant);
    const size = await tree.size(tenant);
    if (size < (latest?.size ?? 1))
      throw new DomainError('unavailable', 'the log is still being read into its tree: try again');
    const hashes = treeHashes(tree, sha256, tenant);
    if (latest !== null && Buffer.compare(await hashes.root(latest.size), latest.root) !== 0)
      throw new LogTreeChanged(
        `the log of tenant ${tenant} is not the one that was signed at size ${latest.size}`,
      );
    if (latest?.size === size) return latest;
    const key = await signer();
    if (key === null)
      throw new DomainError(
        'not_configured',
        'checkpoints are signed, and this service has no key for it: set KNOWLEDGER_CHECKPOINT_KEY',
      );
    const root = await hashes.root(size);
    const origin = await originOf(tenant);
    const signedAt = clock.now();
    await kept.addKey(key.publicKey, signedAt);
    const text = checkpointText(origin, { size, root });
    const note = signNote(sha256, key.sign, verifierKey(origin, key.publicKey), text);
    const made = { size, root, note, signedAt };
    // Another process has signed meanwhile: this one must continue that.
    return (await kept.keep(tenant, made, latest?.size ?? 0)) ? { ...made, cosignatures: [] } : make(tenant);
  };
  return make;
};
export type MakeCheckpoint = ReturnType<typeof createCheckpointMaker>;
