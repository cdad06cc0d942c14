import { type ExportLine, exportLine } from '../../domain/proof/export-line.ts';
import { leafOf } from '../../domain/proof/leaf.ts';
import { consistencyPath, HASH_BYTES, inclusionPath, leafHash } from '../../domain/proof/merkle.ts';
import { formatVerifierKey } from '../../domain/proof/note.ts';
import { entryBundle, type TileName, widthOf } from '../../domain/proof/tiles.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../access/caller.ts';
import { isOurs } from '../event-sourcing/event-codec.ts';
import { BEGINNING, type EventFeed, type EventStreams, type RecordedEvent } from '../ports/event-store.ts';
import { type KeptCheckpoint, LogTreeChanged } from '../ports/log-tree.ts';
import type { RedactTextFor } from '../redaction/redact-text.ts';
import { type CheckpointDeps, type MakeCheckpoint, verifierKey } from './checkpoints.ts';
import { redactForAudit } from './operations.ts';
import { treeHashes } from './tree-hashes.ts';

export interface ProofDeps extends Pick<CheckpointDeps, 'tree' | 'kept' | 'sha256' | 'originOf'> {
  readonly makeCheckpoint: MakeCheckpoint;
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly feed: Pick<EventFeed, 'read'>;
  readonly redactTextFor: RedactTextFor;
}

/** That an event is in the tree of a checkpoint (RFC 9162, section 2.1.3). */
interface InclusionProof {
  /** The event as the caller may see it, with what is needed to make its leaf. */
  readonly line: ExportLine;
  /** The leaf, whose hash is `line.leaf_hash`. */
  readonly leaf: string;
  readonly path: readonly Uint8Array[];
  readonly checkpoint: KeptCheckpoint;
}

/** Proofs of the log of the caller's tenant. Every operation needs a key that is not restricted to source groups. */
export const createProofOperations = (deps: ProofDeps) => {
  const { tree, kept, sha256, originOf, makeCheckpoint, store, redactTextFor } = deps;
  const tenantOf = (caller: Caller): string => {
    mustBeUnrestricted(caller, 'proving the event log');
    return caller.tenant;
  };
  /** @throws DomainError not_found */
  const ofSize = async (tenant: string, size: number): Promise<KeptCheckpoint> => {
    const [found] = await kept.list(tenant, size - 1, 1);
    if (found?.size === size) return found;
    throw new DomainError('not_found', `there is no checkpoint of ${size} events`);
  };
  return {
    /** The checkpoint of the log as it is now: see `createCheckpointMaker`. */
    checkpoint: async (caller: Caller): Promise<KeptCheckpoint> => makeCheckpoint(tenantOf(caller)),

    /** Checkpoints with more than `after` events, smallest first; `desc`: with fewer, largest first. */
    checkpoints: async (
      caller: Caller,
      after: number | undefined,
      limit: number,
      order?: 'asc' | 'desc',
    ): Promise<readonly KeptCheckpoint[]> => kept.list(tenantOf(caller), after, limit, order),

    /** Every key that has ever signed checkpoints here, newest first, as verifier key of the tenant's log. */
    keys: async (
      caller: Caller,
    ): Promise<{
      readonly origin: string;
      readonly keys: readonly { readonly key: string; readonly since: number }[];
    }> => {
      const origin = await originOf(tenantOf(caller));
      const keys = (await kept.keys()).map(({ publicKey, since }) => ({
        key: formatVerifierKey(sha256, verifierKey(origin, publicKey)),
        since,
      }));
      return { origin, keys };
    },

    /**
     * Proves an event against the checkpoint of `size` events; absent: the newest one, which is made if there is none
     * with the event.
     *
     * @throws DomainError not_found for an unknown event or checkpoint; unavailable while the event is not in the tree
     * @throws LogTreeChanged when the event is not the one of which the tree has the hash
     */
    inclusion: async (
      caller: Caller,
      stream: string,
      revision: bigint,
      size?: number,
    ): Promise<InclusionProof> => {
      const tenant = tenantOf(caller);
      const [event] = await store.readStream(stream, revision, 1);
      if (event?.metadata['tenant'] !== tenant || !isOurs(event))
        throw new DomainError('not_found', `there is no event of revision ${revision} in ${stream}`);
      const index = await tree.indexOf(tenant, event.position);
      if (index === null) throw new DomainError('unavailable', 'the event is not in the tree yet: try again');
      const checkpoint = size === undefined ? await makeCheckpoint(tenant) : await ofSize(tenant, size);
      if (checkpoint.size <= index)
        throw new DomainError(
          'not_found',
          `the checkpoint of ${checkpoint.size} events has not this one yet`,
        );
      const saltOf = await tree.salts();
      const leaf = leafOf(sha256, saltOf, event);
      const hashes = treeHashes(tree, sha256, tenant);
      const hash = leafHash(sha256, leaf);
      if (Buffer.compare(hash, await hashes.over([{ level: 0, index }])) !== 0)
        throw new LogTreeChanged(`revision ${revision} of ${stream} is not the event that the tree has`);
      const shown = redactForAudit(event, await redactTextFor(tenant)).data;
      return {
        line: exportLine(sha256, saltOf, event, shown, { index, hash }),
        leaf,
        path: await Promise.all(inclusionPath(index, checkpoint.size).map(hashes.over)),
        checkpoint,
      };
    },

    /**
     * The hashes that prove that the tree of `from` events is the beginning of that of `to` (RFC 9162, section 2.1.4).
     *
     * @throws DomainError invalid_request for sizes that the tree has not had, or in the wrong order
     */
    consistency: async (caller: Caller, from: number, to: number): Promise<readonly Uint8Array[]> => {
      const tenant = tenantOf(caller);
      const size = await tree.size(tenant);
      if (from > to || to > size)
        throw new DomainError(
          'invalid_request',
          `give sizes with from <= to <= ${size}, those of checkpoints`,
        );
      const hashes = treeHashes(tree, sha256, tenant);
      return Promise.all(consistencyPath(from, to).map(hashes.over));
    },

    /**
     * A tile, or a bundle of canonical leaves (C2SP tlog-tiles).
     *
     * @throws DomainError not_found for one that the tree has not
     */
    tile: async (caller: Caller, { level, index, width }: TileName): Promise<Uint8Array> => {
      const tenant = tenantOf(caller);
      if (width > widthOf(level, index, await tree.size(tenant)))
        throw new DomainError('not_found', 'the tree has no such tile');
      if (level !== null) return (await tree.hashes(tenant, level, index)).subarray(0, width * HASH_BYTES);
      const saltOf = await tree.salts();
      const events = await eventsOf(deps, tenant, index, width);
      return entryBundle(events.map((event) => leafOf(sha256, saltOf, event)));
    },
  };
};
export type ProofOperations = ReturnType<typeof createProofOperations>;

/** The events of a bundle, as they are in the store. */
const eventsOf = async (
  { tree, feed }: ProofDeps,
  tenant: string,
  index: number,
  width: number,
): Promise<readonly RecordedEvent[]> => {
  let after = index === 0 ? BEGINNING : (await tree.places(tenant, index - 1)).at(-1)!.position;
  const events: RecordedEvent[] = [];
  while (events.length < width) {
    const limit = width - events.length;
    const page = await feed.read(after, { tenant }, limit);
    events.push(...page.events.filter(isOurs));
    if (!page.more) break;
    after = page.position;
  }
  if (events.length < width) throw new LogTreeChanged(`events of tenant ${tenant} are missing from the log`);
  return events;
};
