import { rs256 } from '../../adapters/system/cipher.ts';
import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { patternCompiler } from '../../adapters/crawler/pattern-compiler.ts';
import { createRepositorySource } from '../../adapters/providers/git-hosts/repository-source.ts';
import type { ListedSource } from '../../application/sources/ingestion/listed/listed-source.ts';
import type { Credential } from '../../application/ports/secrets.ts';
import type { RepoParameters } from '../../domain/ingestion-setting/index.ts';
import { credentialsOf } from './given-credential.ts';

export const REPOSITORY: RepoParameters = {
  kind: 'repo',
  repository: 'acme/docs',
  referenceType: 'default',
  referenceParam: '',
  pathFilters: [],
  secretId: null,
};

const dispatcher = createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] });

/** The connector's source, asking a host on loopback, with waits that take no time. */
export const repositorySourceAt = (
  apiUrl: string,
  more: {
    readonly credential?: Credential | (() => Credential);
    readonly maxBytes?: number;
    readonly now?: () => number;
  } = {},
): ListedSource<RepoParameters> =>
  createRepositorySource({
    apiUrl,
    dispatcher,
    signer: rs256,
    credentials: credentialsOf(more.credential ?? null),
    patterns: patternCompiler,
    maxBytes: more.maxBytes ?? 1_000_000,
    now: more.now ?? Date.now,
    sleep: async (_, signal) => signal.throwIfAborted(),
  });
