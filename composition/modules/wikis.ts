import { ContainerModule } from 'inversify';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createWikiSource } from '../../adapters/wiki/wiki-source.ts';
import type { Config } from '../config.ts';
import { hostAndPort } from '../host-and-port.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECTIONS = 8;

/** The wikis of one API, which the operator names; files in them are reached at public addresses alone. */
export const wikisModule = ({
  allowAddresses,
  crawl: { maxBytes },
  wiki: { apiUrl, requestsPerSecond },
}: Pick<Config, 'allowAddresses' | 'crawl' | 'wiki'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const allowed = [...allowAddresses, hostAndPort(new URL(apiUrl))];
    const dispatcher = createGuardedAgent({ allowAddresses: allowed, connections: CONNECTIONS });
    provide(
      T.WikiSource,
      ({ credentials, clock }) =>
        createWikiSource({
          apiUrl,
          requestsPerSecond,
          dispatcher,
          credentials,
          maxBytes,
          now: () => clock.now(),
          sleep,
        }),
      { credentials: T.SecretCredentials, clock: T.Clock },
    ).onDeactivation(() => dispatcher.destroy());
  });
