import { Agent } from 'undici';
import { openEncoder } from '../../adapters/exports/encoders.ts';
import { createKeptCheckpoints } from '../../adapters/postgres/log-tree/checkpoints.ts';
import { createLogTree } from '../../adapters/postgres/log-tree/log-tree.ts';
import { createWitness } from '../../adapters/providers/witness.ts';
import { sha256Bytes, verifyEd25519 } from '../../adapters/system/proof.ts';
import { createCheckpointMaker } from '../../application/audit/checkpoints.ts';
import { createExportOperations } from '../../application/audit/export-log.ts';
import { createAuditOperations } from '../../application/audit/operations.ts';
import { createProofOperations } from '../../application/audit/proof-operations.ts';
import { assignIdentity } from '../../application/event-sourcing/store-health/compare-log.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import { openCheckpointKey } from '../checkpoint-key.ts';
import { type Given, provide, token } from '../wiring.ts';
import { CORE } from './core.ts';
import { REDACTION } from './redaction.ts';

const CONNECT_MS = 5_000;

const NEEDS = { core: CORE, redaction: REDACTION };

/** Keeps the first result of `open` that is no failure. */
const once = <T>(open: () => Promise<T>): (() => Promise<T>) => {
  let opened: Promise<T> | undefined;
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
};

/** The event log for audits, and its proofs. */
const openAudit = ({ core, redaction: { redactTextFor } }: Given<typeof NEEDS>) => {
  const { config, databases, db, eventLog, feed, ids, store } = core;
  // The operator chooses these addresses, so a plain agent connects to them.
  const agent = new Agent({ connect: { timeout: CONNECT_MS } });
  const identity = once(
    async () => (await eventLog.probe(BEGINNING)).identity ?? (await assignIdentity(store, ids)),
  );
  const proving = {
    tree: createLogTree(db),
    // Every commit reaches the disk at once: a signed checkpoint is never lost.
    kept: createKeptCheckpoints(databases.events.db),
    sha256: sha256Bytes,
    verify: verifyEd25519,
    signer: once(() => openCheckpointKey(config, databases.embedded)),
    originOf: async (tenant: string): Promise<string> =>
      `${config.checkpoints.origin ?? `knowledger/${await identity()}`}/${encodeURIComponent(tenant)}`,
    clock: core.clock,
    witnesses: config.checkpoints.witnesses.map(({ key, url }) => createWitness(agent, key, url)),
  };
  const makeCheckpoint = createCheckpointMaker(proving);
  return {
    proving,
    makeCheckpoint,
    close: () => agent.destroy(),
    operations: {
      events: createAuditOperations({ feed, redactTextFor }),
      exports: createExportOperations({ ...proving, feed, redactTextFor, openEncoder }),
      proofs: createProofOperations({ ...proving, makeCheckpoint, store, feed, redactTextFor }),
    },
  };
};

export const AUDIT = token<ReturnType<typeof openAudit>>('audit');
export const auditModule = provide(AUDIT, NEEDS, openAudit);
