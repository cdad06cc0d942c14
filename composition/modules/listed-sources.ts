import { ContainerModule } from 'inversify';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createDriveSource } from '../../adapters/providers/drive/drive-source.ts';
import { createRepositorySource } from '../../adapters/providers/git-hosts/repository-source.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/token-signer.ts';
import { createWikiSource } from '../../adapters/providers/wiki/wiki-source.ts';
import type { Clock } from '../../application/ports/identity.ts';
import type { Config } from '../config.ts';
import { hostAndPort } from '../host-and-port.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

const CONNECTIONS = 8;
const ASKED_WITH = { credentials: T.SecretCredentials, clock: T.Clock } as const;

/**
 * Providers that list what they hold: the host of repositories, the drives and the wikis of one API each, which the
 * operator names. What they lead to is reached at public addresses alone.
 */
export const listedSourcesModule = ({
  allowAddresses,
  crawl: { maxBytes },
  repository,
  drive,
  wiki,
}: Pick<Config, 'allowAddresses' | 'crawl' | 'repository' | 'drive' | 'wiki'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    /** Connections of a source of its own, by which its provider is reached wherever that is. */
    const reaching = (apiUrl: string) => {
      const allowed = [...allowAddresses, hostAndPort(new URL(apiUrl))];
      const dispatcher = createGuardedAgent({ allowAddresses: allowed, connections: CONNECTIONS });
      const over = (clock: Clock) => ({ dispatcher, maxBytes, now: () => clock.now(), sleep });
      return { over, close: () => dispatcher.destroy() };
    };

    const toRepositories = reaching(repository.apiUrl);
    provide(
      T.RepositorySource,
      ({ clock, ...deps }) =>
        createRepositorySource({ ...repository, ...toRepositories.over(clock), ...deps, signer: rs256 }),
      { ...ASKED_WITH, patterns: T.PatternCompiler },
    ).onDeactivation(toRepositories.close);

    const toDrives = reaching(drive.apiUrl);
    provide(
      T.DriveSource,
      ({ clock, ...deps }) => createDriveSource({ ...drive, ...toDrives.over(clock), ...deps }),
      ASKED_WITH,
    ).onDeactivation(toDrives.close);

    const toWikis = reaching(wiki.apiUrl);
    provide(
      T.WikiSource,
      ({ clock, ...deps }) => createWikiSource({ ...wiki, ...toWikis.over(clock), ...deps }),
      ASKED_WITH,
    ).onDeactivation(toWikis.close);
  });
