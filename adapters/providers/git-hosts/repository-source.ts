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
import { nullIfRefused, type Judge } from '../../http-client/provider-response.ts';
import { withoutSecret } from '../credentials/authorization.ts';
import { authorizationBy } from './authorization.ts';
import { type FoundCommit, findCommit, readTree } from './tree.ts';
import {
  type Host,
  type RepositoryApi,
  createRepositoryApi,
  encodedPath,
  hostAt,
  refusalOfRepository,
} from './repository-api.ts';
import { repositoryListing, type Snapshot } from './listing.ts';
import { serverDelay } from '../../http-client/retry.ts';

/** The state that one job leaves for the next. */
interface RepositorySyncToken {
  /** The listed commit. */
  readonly commit: FoundCommit;
  /** The API path of the repository, by which it is still found after it was renamed. */
  readonly place: string;
  /** The parameters: the state is invalid for others. */
  readonly question: string;
}

const questionOf = ({ repository, referenceType, referenceParam, pathFilters }: RepoParameters): string =>
  JSON.stringify([repository, referenceType, referenceParam, pathFilters]);

const writeSyncToken = (syncToken: RepositorySyncToken): string => JSON.stringify(syncToken);

/** Null when unreadable, for example written by another version. */
const readSyncToken = (text: string | null): RepositorySyncToken | null => {
  try {
    const { commit, place, question } = JSON.parse(text ?? 'null') as RepositorySyncToken;
    const isMark = [commit.sha, place, question].every((field) => typeof field === 'string');
    return isMark ? { commit, place, question } : null;
  } catch {
    return null;
  }
};

/** Clocks differ: a rate limit ends a little later than announced. */
const LEEWAY_MS = 1_000;

/**
 * GitHub's rate limits come as 403 or 429 (its documentation of rate limits): the primary limit gives its end in
 * `x-ratelimit-reset`, in Unix seconds; secondary limits use Retry-After, or nothing.
 */
const judgeRepositoryHost: Judge = ({ status, header, json }, now) => {
  if (status !== 403 && status !== 429) return undefined;
  const asked = serverDelay(header, now);
  if (asked > 0) return { kind: 'wait', ms: asked };
  const reset = Number(header('x-ratelimit-reset') ?? Number.NaN);
  if (header('x-ratelimit-remaining') === '0' && Number.isFinite(reset))
    return { kind: 'wait', ms: Math.max(0, reset * 1_000 - now) + LEEWAY_MS };
  const { message } = (json ?? {}) as { readonly message?: unknown };
  const isLimit =
    status === 429 || (typeof message === 'string' && /rate limit|abuse detection/i.test(message));
  return isLimit ? { kind: 'wait', ms: null } : undefined;
};

/** Names of branches and tags, roughly as git-check-ref-format allows them. */
const REFERENCE = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|[\p{Cc} ~^:?*[\\]))[^]*[^/.]$/u;
const HASH = /^[0-9a-f]{7,64}$/i;

/** @throws DomainError invalid_request, pattern_invalid */
const checkRepoParameters = (
  patterns: Pick<PatternCompiler, 'pathFilter'>,
  { repository, referenceType, referenceParam, pathFilters }: RepoParameters,
): void => {
  if (repository.split('/').some((part) => part === '.' || part === '..'))
    throw new DomainError('invalid_request', 'repository: give it as owner/repo');
  patterns.pathFilter(pathFilters);
  if (referenceType === 'default') {
    if (referenceParam === '') return;
    throw new DomainError(
      'invalid_request',
      'reference_param: the default branch needs none; for another one give reference_type branch, tag or commit',
    );
  }
  if (referenceParam === '')
    throw new DomainError('invalid_request', `reference_param: say which ${referenceType} is meant`);
  if (referenceType === 'commit' ? !HASH.test(referenceParam) : !REFERENCE.test(referenceParam))
    throw new DomainError('invalid_request', `reference_param: this is no ${WORDS[referenceType]}`);
};

const WORDS = {
  branch: 'name of a branch',
  tag: 'name of a tag',
  commit: 'hash of a commit (7 to 64 hexadecimal digits)',
} as const;

export interface RepositoryOptions {
  /** Base URL of the host, set by the operator. */
  readonly apiUrl: string;
  /** Guarded; may reach the host. */
  readonly dispatcher: Dispatcher;
  readonly credentials: SecretCredentials;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly patterns: Pick<PatternCompiler, 'pathFilter'>;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum silence before an attempt fails. */
const IDLE_TIMEOUT_MS = 30_000;
/** Long, because an archive may be large. */
const WHOLE_MS = 15 * 60_000;
const RETRY = { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 10_000 };
const LONGEST_WAIT_MS = 30_000;
/** GitHub's advice for secondary limits without a delay. */
const DEFAULT_WAIT_MS = 60_000;

/** Repositories of GitHub, or of a host with the same API. An item is a file, identified by its path. */
export const createRepositorySource = (options: RepositoryOptions): ListedSource<RepoParameters> => {
  const host = hostAt(options.apiUrl);
  return {
    kind: 'repo',
    sourceType: 'repo',
    // Only the bytes of a file count, and their hash is known in advance: nothing must be read again.
    contentParameters: [],
    secretTypes: ['token', 'basic', 'app'],
    check: (parameters) => checkRepoParameters(options.patterns, parameters),
    subjectOf: ({ repository, referenceType, referenceParam, pathFilters }) => ({
      kind: 'repo',
      repository,
      referenceType,
      referenceParam,
      pathFilters,
    }),
    itemsToSync: async (_, paths) => [...new Set(paths.map(canonicalPath))],
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
  const left = readSyncToken(opened.syncToken);
  const api = openApi(options, host, parameters, opened.tenant, left?.place);
  const asAWhole = (error: unknown): never => refusalOfRepository(error, repository, secretId !== null);
  const question = questionOf(parameters);
  const before = left?.question === question ? left.commit : null;
  const answer = await findCommit(api, parameters, before, signal).catch(asAWhole);
  const found = answer === 'same' ? before : answer;
  // Only a listing leaves a sync token with the new place.
  const unchanged = answer === 'same' && api.place() === left?.place;
  const at = (commit: string, aborted: AbortSignal) => snapshotAt(options, api, parameters, commit, aborted);
  return repositoryListing({
    api,
    unchanged,
    newest: found,
    at: (commit, aborted) => at(commit, aborted).catch(asAWhole),
    earlier: (commit, aborted) => at(commit, aborted).catch(nullIfRefused),
    markOf: (commit) => writeSyncToken({ commit, place: api.place(), question }),
    web: new URL(/^repos\/(.+)/.exec(api.place())?.[1] ?? encodedPath(repository), host.web).href,
    maxBytes: options.maxBytes,
  });
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
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    attemptTimeoutMs: WHOLE_MS,
    retry: RETRY,
    maxWaitMs: LONGEST_WAIT_MS,
    defaultWaitMs: DEFAULT_WAIT_MS,
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
  // Filters compare decoded URLs.
  return { commit, entries: entries.filter(({ path }) => passes(encodedPath(path))) };
};

/** The path as in a tree. @throws DomainError invalid_request */
const canonicalPath = (written: string): string => {
  const path = written.replace(/^\/+/, '');
  if (path === '' || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new DomainError(
      'invalid_request',
      `locators: ${JSON.stringify(written)} is not the path of a file`,
    );
  return path;
};
