import type { TreeHead } from '../../domain/proof/checkpoint.ts';
import type { SaltOf } from '../../domain/proof/leaf.ts';
import type { VerifierKey } from '../../domain/proof/note.ts';
import type { Position } from './event-store.ts';

/** Where the event of a leaf is. */
export interface LeafPlace {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
}

/** The Merkle tree over the events of each tenant, in the order of the log. It only grows, but for a rebuild. */
export interface LogTree {
  /** The number of leaves; 0 for a tenant without events. */
  readonly size: (tenant: string) => Promise<number>;
  /** Tenants that have a tree, in no order. */
  readonly tenants: () => Promise<readonly string[]>;
  /** Tenants without a checkpoint, and those that have grown since one that was signed at this time or before it. */
  readonly grownSince: (signedBefore: number) => Promise<readonly string[]>;
  /** The hashes of tile `index` of `level` (see `TileName`), one behind the other: as many as there are. */
  readonly hashes: (tenant: string, level: number, index: number) => Promise<Uint8Array>;
  /** Where the leaves from `256 * index` on are, in order, up to 256. */
  readonly places: (tenant: string, index: number) => Promise<readonly LeafPlace[]>;
  /** The index of the leaf at this position; null: there is none, or not yet. */
  readonly indexOf: (tenant: string, position: Position) => Promise<number | null>;
  /** The salts of this installation. */
  readonly salts: () => Promise<SaltOf>;
}

/** A checkpoint that was signed. */
export interface KeptCheckpoint extends TreeHead {
  /** The note, with the log's signatures alone. */
  readonly note: string;
  /** Unix milliseconds. */
  readonly signedAt: number;
  /** Lines of witnesses' signatures, whose keys are told apart by their names. */
  readonly cosignatures: readonly string[];
}

/** Checkpoints and verifier keys, which no rebuild changes and nothing deletes. Every write is durable. */
export interface KeptCheckpoints {
  /** The one with the most leaves. */
  readonly latest: (tenant: string) => Promise<KeptCheckpoint | null>;
  /** Those with more than `after` leaves, fewest first; `desc`: with fewer, most first, or from the latest on. */
  readonly list: (
    tenant: string,
    after: number | undefined,
    limit: number,
    order?: 'asc' | 'desc',
  ) => Promise<readonly KeptCheckpoint[]>;
  /** Tenants that have checkpoints, in no order. */
  readonly tenants: () => Promise<readonly string[]>;
  /** Keeps a checkpoint if the latest one has `after` leaves; 0 for none. Returns false if it has not. */
  readonly keep: (
    tenant: string,
    checkpoint: Omit<KeptCheckpoint, 'cosignatures'>,
    after: number,
  ) => Promise<boolean>;
  /** Tenants whose latest checkpoint has no signature of this witness. */
  readonly latestWithout: (witness: string) => Promise<readonly string[]>;
  /** The size of the largest checkpoint that this witness has signed; 0 for none. */
  readonly witnessed: (tenant: string, witness: string) => Promise<number>;
  /** Keeps the signature of a witness, in the place of an earlier one of it. */
  readonly cosign: (tenant: string, size: number, witness: string, line: string) => Promise<void>;
  /** Public keys that have signed checkpoints here, 32 bytes each, newest first. */
  readonly keys: () => Promise<readonly { readonly publicKey: Uint8Array; readonly since: number }[]>;
  /** Publishes a key, before its first signature. */
  readonly addKey: (publicKey: Uint8Array, since: number) => Promise<void>;
}

/** Signs checkpoints that continue what it has signed before, so that no log shows different trees to different readers. */
export interface Witness {
  readonly key: VerifierKey;
  /**
   * Asks for a signature on a checkpoint.
   *
   * @param request `old`: size of the last checkpoint that the witness has, `proof`: base64 hashes of the consistency proof
   * from there, `checkpoint`: the signed note
   * @returns lines of signatures, not verified; or the size of the last checkpoint that the witness has, if it is not `old`
   * @throws Error when it refuses, or does not answer
   */
  readonly addCheckpoint: (request: {
    readonly old: number;
    readonly proof: readonly string[];
    readonly checkpoint: string;
  }) => Promise<{ readonly signatures: readonly string[] } | { readonly size: number }>;
}

/** The log is no longer the one that was signed: an operator must look, and `npm run audit -- verify` says where. */
export class LogTreeChanged extends Error {
  override readonly name = 'LogTreeChanged';
}
