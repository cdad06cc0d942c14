import type { Dispatcher } from 'undici';
import type {
  ListedSource,
  Listing,
  OpenedFor,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { SecretCredentials, TokenSigner } from '../../../application/ports/secrets.ts';
import type { PatternCompiler } from '../../../application/ports/compilers.ts';
import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { createProviderClient } from '../../http-client/client.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import { authorizationBy, withoutSecret } from './authorization.ts';
import { checkRepoParameters } from './check-parameters.ts';
import { findCommit } from './commit.ts';
import { encodedPath, type Host, hostAt } from './host.ts';
import { judgeRepositoryHost } from './judge.ts';
import { repositoryListing, type Snapshot } from './listing.ts';
import { questionOf, readMark, writeMark } from './mark.ts';
import { createRepositoryApi, refusedAsAWhole, type RepositoryApi } from './repository-api.ts';
import { readTree } from './tree.ts';

export interface RepositoryOptions {
  /** Of the host, as the operator names it. */
  readonly apiUrl: string;
  /** Guarded; may reach the host. */
  readonly dispatcher: Dispatcher;
  readonly credentials: SecretCredentials;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly patterns: Pick<PatternCompiler, 'pathFilter'>;
  /** Of a file. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Without an answer for so long, a try ends. */
const SILENCE_MS = 30_000;
/** An archive may be large. */
const WHOLE_MS = 15 * 60_000;
const RETRY = { tries: 3, firstDelayMs: 1_000, maxDelayMs: 10_000 };
const LONGEST_WAIT_MS = 30_000;
/** GitHub's advice for secondary limits that say nothing. */
const UNSAID_WAIT_MS = 60_000;

/** Repositories of GitHub, or of a host with the same interface. A unit is a file, named by its path. */
export const createRepositorySource = (options: RepositoryOptions): ListedSource<RepoParameters> => {
  const host = hostAt(options.apiUrl);
  return {
    kind: 'repo',
    sourceType: 'repo',
    // A file is judged by its bytes alone, whose hash is known before: nothing must be read afresh.
    judging: [],
    secretTypes: ['token', 'basic', 'app'],
    check: (parameters) => checkRepoParameters(options.patterns, parameters),
    subjectOf: ({ repository, referenceType, referenceParam, pathFilters }) => ({
      kind: 'repo',
      repository,
      referenceType,
      referenceParam,
      pathFilters,
    }),
    unitsToSync: async (_, paths) => [...new Set(paths.map(canonicalPath))],
    open: (parameters, signal, opened) => openRepository(options, host, parameters, opened, signal),
  };
};

const openRepository = async (
  options: RepositoryOptions,
  host: Host,
  parameters: RepoParameters,
  opened: OpenedFor,
  signal: AbortSignal,
): Promise<Listing> => {
  const { repository, secretId } = parameters;
  const left = readMark(opened.mark);
  const api = openApi(options, host, parameters, opened.tenant, left?.place);
  const asAWhole = (error: unknown): never => refusedAsAWhole(error, repository, secretId !== null);
  const question = questionOf(parameters);
  const before = left?.question === question ? left.commit : null;
  const answer = await findCommit(api, parameters, before, signal).catch(asAWhole);
  const unchanged = answer === 'same';
  const found = unchanged ? before : answer;
  const at = (commit: string, aborted: AbortSignal) => snapshotAt(options, api, parameters, commit, aborted);
  return repositoryListing({
    api,
    unchanged,
    newest: found,
    at: (commit, aborted) => at(commit, aborted).catch(asAWhole),
    earlier: (commit, aborted) => at(commit, aborted).catch(nullIfRefused),
    markOf: (commit) => writeMark({ commit, place: api.place(), question }),
    web: new URL(encodedPath(repository), host.web).href,
    maxBytes: options.maxBytes,
  });
};

const nullIfRefused = (error: unknown): null => {
  if (error instanceof RequestRefused) return null;
  throw error;
};

const openApi = (
  { dispatcher, credentials, signer, now, sleep }: RepositoryOptions,
  host: Host,
  { repository, secretId }: RepoParameters,
  tenant: string,
  place = `repos/${encodedPath(repository)}`,
): RepositoryApi => {
  const client = createProviderClient({
    name: 'the repository host',
    dispatcher,
    silenceMs: SILENCE_MS,
    wholeMs: WHOLE_MS,
    retry: RETRY,
    longestWaitMs: LONGEST_WAIT_MS,
    unsaidWaitMs: UNSAID_WAIT_MS,
    judge: judgeRepositoryHost,
    now,
    sleep,
  });
  const { base } = host;
  const authorization =
    secretId === null
      ? withoutSecret
      : authorizationBy({ client, base, signer, now }, credentials.of({ tenant, secretId }));
  return createRepositoryApi({ client, host, authorization, place });
};

const snapshotAt = async (
  { patterns }: RepositoryOptions,
  api: RepositoryApi,
  { pathFilters }: RepoParameters,
  commit: string,
  signal: AbortSignal,
): Promise<Snapshot> => {
  const passes = patterns.pathFilter(pathFilters);
  const entries = await readTree(api, commit, signal);
  // Filters compare addresses decoded.
  return { commit, entries: entries.filter(({ path }) => passes(encodedPath(path))) };
};

/** As a tree names it. @throws DomainError invalid_request */
const canonicalPath = (written: string): string => {
  const path = written.replace(/^\/+/, '');
  if (path === '' || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new DomainError('invalid_request', `locators: ${JSON.stringify(written)} is no path of a file`);
  return path;
};
