import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { createTokenEndpoint } from '../../adapters/providers/credentials/token-endpoint.ts';
import { createSecretView } from '../../adapters/postgres/views/secret-view.ts';
import { createRenewalTurns } from '../../adapters/postgres/work/renewal-turns.ts';
import { createSecretUsage } from '../../adapters/postgres/work/secret-usage.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/token-signer.ts';
import { createSecretCredentials } from '../../application/access/secrets/credentials.ts';
import { createSecretTexts } from '../../application/access/secrets/kept-value.ts';
import { createSecretOperations } from '../../application/access/secrets/operations.ts';
import { createSecretUses } from '../../application/access/secrets/uses.ts';
import type { Databases } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 5_000;

/** Secrets, and what providers give in exchange for them. Their places are the operator's: the agent is a plain one. */
export const secretsModule = ({ events, views }: Databases): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const usage = createSecretUsage(views.db);
    const agent = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
    bind(T.SecretView).toConstantValue(createSecretView(views.db));
    provide(T.SecretTexts, ({ vault }) => createSecretTexts(vault), { vault: T.Vault });
    const commands = { execute: T.Execute, clock: T.Clock } as const;
    provide(T.SecretUses, createSecretUses, commands);
    provide(
      T.SecretOperations,
      createSecretOperations,
      {
        ...commands,
        ids: T.IdSource,
        hash: T.Hash,
        view: T.SecretView,
        texts: T.SecretTexts,
        uses: T.SecretUses,
      },
      { usage, signer: rs256 },
    );
    provide(
      T.SecretCredentials,
      createSecretCredentials,
      { ...commands, ids: T.IdSource, texts: T.SecretTexts },
      {
        usage,
        signer: rs256,
        endpoint: createTokenEndpoint(agent),
        // A turn must not be forgotten by a crash of the machine.
        turns: createRenewalTurns(events.db),
        idle: sleep,
      },
    ).onDeactivation(() => agent.destroy());
  });
