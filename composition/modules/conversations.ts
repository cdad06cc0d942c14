import { ContainerModule } from 'inversify';
import { createVault } from '../../adapters/postgres/vault/vault.ts';
import { createConversationView } from '../../adapters/postgres/views/conversation-view.ts';
import { createAnswerHolds } from '../../adapters/postgres/work/answer-holds.ts';
import { aesGcm } from '../../adapters/system/cipher.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createConversationOperations } from '../../application/conversation/operations.ts';
import { runSweeps } from '../../application/conversation/run-sweeps.ts';
import { createTurns } from '../../application/conversation/turns.ts';
import type { MasterKey } from '../../application/ports/cipher.ts';
import type { Databases } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';

/** Conversations, and the vault that their texts lie in. */
export const conversationsModule = (
  { events, views }: Databases,
  masterKey: MasterKey | null,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    // Where every commit is on disk at once: a text must not be lost behind the event that speaks of it.
    bind(T.Vault).toConstantValue(createVault({ db: events.db, cipher: aesGcm, masterKey }));
    bind(T.AnswerHolds).toConstantValue(createAnswerHolds(events.db));
    bind(T.ConversationView).toConstantValue(createConversationView(views.db));
    bind(T.ConversationTurns).toResolvedValue(
      (execute, store, codec, vault, ids, clock) => createTurns({ execute, store, codec, vault, ids, clock }),
      [T.Execute, T.EventStore, T.EventCodec, T.Vault, T.IdSource, T.Clock],
    );
    bind(T.ConversationOperations).toResolvedValue(
      (execute, store, codec, vault, view, clock, hidingFor, marks) =>
        createConversationOperations({ execute, store, codec, vault, view, clock, hidingFor, marks }),
      [T.Execute, T.EventStore, T.EventCodec, T.Vault, T.ConversationView, T.Clock, T.HidingFor, T.RowMarks],
    );
    bind(T.VaultSweep).toResolvedValue(
      (vault, store, codec, log) => ({
        name: 'scheduler',
        run: (signal) => runSweeps({ vault, store, codec, log, idle: sleep }, signal),
      }),
      [T.Vault, T.EventStore, T.EventCodec, T.Logger],
    );
  });
