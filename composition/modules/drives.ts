import { ContainerModule } from 'inversify';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createDriveSource } from '../../adapters/drive/drive-source.ts';
import { sleep } from '../../adapters/system/timing.ts';
import type { Config } from '../config.ts';
import { hostAndPort } from '../host-and-port.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECTIONS = 8;

/** Cloud drives: their API, which the operator names; what it leads to is reached at public addresses alone. */
export const drivesModule = ({
  allowAddresses,
  crawl: { maxBytes },
  drive: { apiUrl, tokenUrl },
}: Pick<Config, 'allowAddresses' | 'crawl' | 'drive'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const allowed = [...allowAddresses, hostAndPort(new URL(apiUrl))];
    const dispatcher = createGuardedAgent({ allowAddresses: allowed, connections: CONNECTIONS });
    provide(
      T.DriveSource,
      ({ credentials, clock }) =>
        createDriveSource({
          apiUrl,
          tokenUrl,
          dispatcher,
          credentials,
          maxBytes,
          now: () => clock.now(),
          sleep,
        }),
      { credentials: T.SecretCredentials, clock: T.Clock },
    ).onDeactivation(() => dispatcher.destroy());
  });
