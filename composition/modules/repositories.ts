import { ContainerModule } from 'inversify';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createRepositorySource } from '../../adapters/repository/repository-source.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/token-signer.ts';
import type { Config } from '../config.ts';
import { hostAndPort } from '../host-and-port.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECTIONS = 8;

/** The host of repositories, which the operator names; what it leads to is reached at public addresses alone. */
export const repositoriesModule = ({
  allowAddresses,
  crawl: { maxBytes },
  repository: { apiUrl },
}: Pick<Config, 'allowAddresses' | 'crawl' | 'repository'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const allowed = [...allowAddresses, hostAndPort(new URL(apiUrl))];
    const dispatcher = createGuardedAgent({ allowAddresses: allowed, connections: CONNECTIONS });
    provide(
      T.RepositorySource,
      ({ patterns, credentials, clock }) =>
        createRepositorySource({
          apiUrl,
          dispatcher,
          credentials,
          signer: rs256,
          patterns,
          maxBytes,
          now: () => clock.now(),
          sleep,
        }),
      { patterns: T.PatternCompiler, credentials: T.SecretCredentials, clock: T.Clock },
    ).onDeactivation(() => dispatcher.destroy());
  });
