import { ContainerModule } from 'inversify';
import { createVault } from '../../adapters/postgres/vault/vault.ts';
import { createConversationView } from '../../adapters/postgres/views/conversation-view.ts';
import { createAnswerHolds } from '../../adapters/postgres/work/answer-holds.ts';
import { aesGcm } from '../../adapters/system/cipher.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createConversationOperations } from '../../application/answers/conversations/operations.ts';
import { runVaultSweeps } from '../../application/agents/sweep-vault.ts';
import { createTurns } from '../../application/answers/conversations/turns.ts';
import type { MasterKeys } from '../../application/ports/vault.ts';
import { role } from '../roles.ts';
import type { Databases } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Conversations, and the vault that their texts lie in. */
export const conversationsModule = (
  { events, views }: Databases,
  masterKeys: MasterKeys | null,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    // Where every commit is on disk at once: a text must not be lost behind the event that speaks of it.
    bind(T.Vault).toConstantValue(createVault({ db: events.db, cipher: aesGcm, ...vaultKeys(masterKeys) }));
    bind(T.AnswerHolds).toConstantValue(createAnswerHolds(events.db));
    bind(T.ConversationView).toConstantValue(createConversationView(views.db));
    const texts = { execute: T.Execute, vault: T.Vault } as const;
    const commands = { ...texts, clock: T.Clock } as const;
    provide(T.ConversationTurns, createTurns, { ...commands, ids: T.IdSource });
    provide(T.ConversationOperations, createConversationOperations, {
      ...commands,
      view: T.ConversationView,
      hidingFor: T.HidingFor,
      marks: T.RowMarks,
    });
    provide(T.VaultSweep, role('scheduler', runVaultSweeps), { ...texts, log: T.Logger }, { idle: sleep });
  });

const vaultKeys = (keys: MasterKeys | null) => ({
  masterKey: keys?.current ?? null,
  previous: keys?.previous ?? [],
});
