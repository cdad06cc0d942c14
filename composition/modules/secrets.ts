import { ContainerModule } from 'inversify';
import { createSecretView } from '../../adapters/postgres/views/secret-view.ts';
import { createSecretUsage } from '../../adapters/postgres/work/secret-usage.ts';
import { rs256 } from '../../adapters/system/token-signer.ts';
import { createSecretTexts } from '../../application/secret/kept-value.ts';
import { createSecretOperations } from '../../application/secret/operations.ts';
import { createSecretUses } from '../../application/secret/uses.ts';
import type { Databases } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Secrets of data sources. */
export const secretsModule = ({ views }: Databases): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const usage = createSecretUsage(views.db);
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
  });
