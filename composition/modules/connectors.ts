import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { patternCompiler } from '../../adapters/crawler/pattern-compiler.ts';
import { createCrawlFrontier } from '../../adapters/postgres/work/crawl-frontier.ts';
import { createDriveSource } from '../../adapters/providers/drive/drive-source.ts';
import { createRepositorySource } from '../../adapters/providers/git-hosts/repository-source.ts';
import { createWikiSource } from '../../adapters/providers/wiki/wiki-source.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { rs256 } from '../../adapters/system/cipher.ts';
import { createCrawlConnector } from '../../application/sources/crawl/connector.ts';
import type { Connectors } from '../../application/sources/ingestion/connector.ts';
import { createListedConnector } from '../../application/sources/ingestion/listed/listed-connector.ts';
import { createLocalFilesConnector } from '../../application/sources/local-files/connector.ts';
import { createPushConnector } from '../../application/sources/push-connector/connector.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ACCESS } from './access.ts';
import { CRAWLER } from './crawler.ts';
import { CORE } from './core.ts';

/** Connections per provider. */
const CONNECTIONS = 8;

/** Where the bytes of a source can be downloaded; the link of a source that has no other URL. */
export const rawUrlOf = (sourceId: string): string => `/api/v1/sources/${sourceId}/raw`;

/** The notation of the allowlist, for an address that the operator has configured. */
const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

const NEEDS = { core: CORE, access: ACCESS, crawler: CRAWLER };

/**
 * The connectors of this service, by kind of data source. Providers that list their contents (the host of repositories,
 * and one API each for drives and wikis, which the operator configures) may have any address; links from them are
 * followed only to public addresses.
 */
const openConnectors = ({ core, access, crawler }: Given<typeof NEEDS>) => {
  const { clock, hash, config } = core;
  const { itemStore, files } = core;
  const { allowAddresses, crawl, repository, drive, wiki } = config;
  const agents: ReturnType<typeof createGuardedAgent>[] = [];
  const provider = <Settings extends { readonly apiUrl: string }>(settings: Settings) => {
    const allowed = [...allowAddresses, hostAndPort(new URL(settings.apiUrl))];
    const dispatcher = createGuardedAgent({ allowAddresses: allowed, connections: CONNECTIONS });
    agents.push(dispatcher);
    const { credentials } = access;
    return {
      ...settings,
      dispatcher,
      maxBytes: crawl.maxBytes,
      now: () => clock.now(),
      sleep,
      credentials,
    };
  };
  const listing = { itemStore, clock, hash };
  const repositories = createRepositorySource({
    ...provider(repository),
    signer: rs256,
    patterns: patternCompiler,
  });
  const connectors = {
    crawl: createCrawlConnector({
      ...crawler,
      fetcher: crawler.pages,
      frontier: createCrawlFrontier(core.databases.views),
      patterns: patternCompiler,
      fetches: crawl.concurrency,
      sleep,
      clock,
      hash,
    }),
    repo: createListedConnector(listing, repositories),
    cloud_drive: createListedConnector(listing, createDriveSource(provider(drive))),
    wiki: createListedConnector(listing, createWikiSource(provider(wiki))),
    local_file_group: createLocalFilesConnector(
      { execute: core.retryingExecute, files, hash, urlOf: rawUrlOf },
      listing,
    ),
    push: createPushConnector(itemStore),
  } satisfies Required<Connectors>;
  return {
    connectors,
    close: async () => {
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
};

export const CONNECTORS = token<ReturnType<typeof openConnectors>>('connectors');
export const connectorsModule = provide(CONNECTORS, NEEDS, openConnectors);
