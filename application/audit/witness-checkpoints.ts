import { consistencyPath, type Sha256 } from '../../domain/proof/merkle.ts';
import { type Ed25519, parseNote, verifiedBy } from '../../domain/proof/note.ts';
import type { KeptCheckpoints, LogTree, Witness } from '../ports/log-tree.ts';
import type { Logger } from '../ports/logger.ts';
import { treeHashes } from './tree-hashes.ts';

export interface WitnessingDeps {
  readonly tree: LogTree;
  readonly kept: KeptCheckpoints;
  readonly sha256: Sha256;
  readonly verify: Ed25519['verify'];
  readonly witnesses: readonly Witness[];
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Sends the newest checkpoint of each log to each witness that has not signed it, with the proof that it continues the
 * last one that the witness has, and keeps signatures that are valid. A witness that fails is asked again by the next
 * call. Never rejects.
 */
export const witnessCheckpoints = async (deps: WitnessingDeps, signal: AbortSignal): Promise<void> => {
  for (const witness of deps.witnesses) {
    const { name } = witness.key;
    const warn = (error: Error, tenant?: string): void =>
      deps.log.warn('a witness did not sign a checkpoint', { witness: name, tenant, error: error.message });
    const tenants = await deps.kept.latestWithout(name).catch((error: Error) => (warn(error), []));
    for (const tenant of tenants) {
      if (signal.aborted) return;
      await witnessed(deps, witness, tenant).catch((error: Error) => warn(error, tenant));
    }
  }
};

const witnessed = async (deps: WitnessingDeps, witness: Witness, tenant: string): Promise<void> => {
  const { tree, kept, sha256, verify } = deps;
  const checkpoint = await kept.latest(tenant);
  if (checkpoint === null) return;
  const { size, note } = checkpoint;
  const hashes = treeHashes(tree, sha256, tenant);
  const send = async (old: number) => {
    if (old > size) throw new Error(`it has a checkpoint of ${old} events, and this log has ${size}`);
    const proof = await Promise.all(consistencyPath(old, size).map(hashes.over));
    const inBase64 = proof.map((hash) => Buffer.from(hash).toString('base64'));
    return witness.addCheckpoint({ old, proof: inBase64, checkpoint: note });
  };
  const first = await send(await kept.witnessed(tenant, witness.key.name));
  const answer = 'size' in first ? await send(first.size) : first;
  if ('size' in answer) throw new Error('it names another size each time');
  const { text } = parseNote(note)!;
  const signed = verifiedBy(sha256, verify, witness.key, { text, signatures: answer.signatures });
  if (signed === null) throw new Error('its signature is not valid');
  await kept.cosign(tenant, size, witness.key.name, signed.line);
};
