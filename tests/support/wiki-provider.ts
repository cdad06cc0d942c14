import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createWikiSource } from '../../adapters/providers/wiki/wiki-source.ts';
import type { ListedSource } from '../../application/sources/ingestion/listed/listed-source.ts';
import type { SecretCredentials } from '../../application/ports/secrets.ts';
import type { WikiParameters } from '../../domain/ingestion-setting/index.ts';
import { idOf } from './wiki-host/blocks.ts';
import { credentialsOf } from './given-credential.ts';

export const WIKI: WikiParameters = {
  kind: 'wiki',
  pageId: idOf('home'),
  includeChildren: true,
  secretId: null,
};

const dispatcher = createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] });

/** The connector's source, asking a host on loopback, with waits that take no time. */
export const wikiSourceAt = (
  apiUrl: string,
  more: {
    readonly credentials?: SecretCredentials;
    readonly maxBytes?: number;
    readonly now?: () => number;
    readonly requestsPerSecond?: number;
    readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  } = {},
): ListedSource<WikiParameters> =>
  createWikiSource({
    apiUrl,
    requestsPerSecond: more.requestsPerSecond ?? 1_000,
    dispatcher,
    credentials: more.credentials ?? credentialsOf(null),
    maxBytes: more.maxBytes ?? 1_000_000,
    now: more.now ?? Date.now,
    sleep: more.sleep ?? (async (_, signal) => signal.throwIfAborted()),
  });
