import { createMemoryEventStore } from './memory/event-store.ts';
import { createMemoryRenewalLeases } from './memory/leases.ts';
import { createMemoryVault } from './memory/vault.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import { rs256 } from '../../adapters/system/cipher.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { IssuedToken, TokenEndpoint } from '../../application/ports/secrets.ts';
import { createNoteUse } from '../../application/access/last-uses.ts';
import { createSecretCredentials } from '../../application/access/secrets/credentials.ts';
import { createSecretTexts } from '../../application/access/secrets/stored-value.ts';
import { createSecretOperations } from '../../application/access/secrets/operations.ts';
import { createSecretAttachments } from '../../application/access/secrets/attachments.ts';
import { NOW } from './conversations.ts';
import { countingIds } from './ids.ts';
import { silent } from './silent.ts';

/** What the processes of a service share, in memory, and a clock that the test moves. */
export const openSecrets = () => {
  const store = createMemoryEventStore(() => NOW);
  const vault = createMemoryVault();
  const turns = createMemoryRenewalLeases();
  const ids = countingIds();
  const used = new Map<string, number>();
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const lastUses = {
    used: async (id: string, at: number) => void used.set(id, at),
    lastUsed: async () => used,
    forget: async (id: string) => void used.delete(id),
  };
  const texts = createSecretTexts(vault);

  /** One process. */
  const process = (endpoint: TokenEndpoint = noEndpoint, events: EventStore = store) => {
    const execute = createExecute({ store: events, codec: createEventCodec(), ids });
    const secretAttachments = createSecretAttachments({ execute, clock });
    const deps = { execute, ids, clock, texts, lastUses, signer: rs256 };
    return {
      execute,
      secretAttachments,
      operations: createSecretOperations({ ...deps, hash: sha256, view: null as never, secretAttachments }),
      credentials: createSecretCredentials({
        ...deps,
        noteUse: createNoteUse({ lastUses, clock, log: silent }),
        endpoint,
        renewals: turns,
        idle: () => new Promise((resolve) => setImmediate(resolve)),
      }),
    };
  };
  return { store, vault, turns, time, used, texts, process };
};
export type SharedSecrets = ReturnType<typeof openSecrets>;

const noEndpoint: TokenEndpoint = {
  ask: () => Promise.reject(new Error('nobody should have asked')),
};

/** An endpoint that says when it is asked, and answers when a test does. */
export const slowEndpoint = () => {
  const answer = Promise.withResolvers<IssuedToken>();
  const asked = Promise.withResolvers<void>();
  const slow: TokenEndpoint = {
    ask: async () => {
      asked.resolve();
      return answer.promise;
    },
  };
  return { answer, asked, slow };
};
