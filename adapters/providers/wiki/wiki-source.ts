import type { Dispatcher } from 'undici';
import {
  type ListedSource,
  type Listing,
  type OpenedFor,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { SecretCredentials } from '../../../application/ports/secrets.ts';
import { wikiPageId, type WikiParameters } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { withoutSecret } from '../credentials/authorization.ts';
import { createProviderClient, type ProviderClient } from '../../http-client/client.ts';
import { type RateLimiter, authorizationBy, createRateLimiters, createWikiApi } from './wiki-api.ts';
import { fileLocator, fileOfLocator } from './fetch-file.ts';
import { wikiListing } from './listing.ts';
import { findRoot } from './root.ts';
import type { Judge } from '../../http-client/provider-response.ts';
import { fields } from './objects.ts';

/**
 * The meaning of the API's statuses (its documentation of status codes): 409 is a conflict of data that a retry may
 * avoid. 403 is about the capabilities of the integration; what is not shared with it is 404. 429 and 529 ask to wait
 * for the time in Retry-After, which the client obeys.
 */
const judgeWiki: Judge = ({ status, header, json }) => {
  if (status === 409) return { kind: 'fault' };
  if (status === 403 && fields(json)['code'] === 'restricted_resource')
    return { kind: 'refused', error: mayNotRead() };
  return status === 529 && header('retry-after') === null ? { kind: 'wait', ms: null } : undefined;
};

const mayNotRead = (): SourceRefused =>
  new SourceRefused(
    'credentials_rejected',
    'Credentials rejected',
    'the integration may not read content: give it that capability in its settings (403)',
  );

export interface WikiOptions {
  /** Base URL of the API, set by the operator. */
  readonly apiUrl: string;
  /** Rate limit of one secret. */
  readonly requestsPerSecond: number;
  /** Guarded; may reach the API. */
  readonly dispatcher: Dispatcher;
  readonly credentials: SecretCredentials;
  /** Maximum size of a page as text, and of a file. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum silence before an attempt fails. */
const IDLE_TIMEOUT_MS = 60_000;
const WHOLE_MS = 5 * 60_000;
const RETRY = { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 10_000 };
/** For a longer wait the job releases its worker. */
const LONGEST_WAIT_MS = 5_000;
const DEFAULT_WAIT_MS = 60_000;

/**
 * Pages of a wiki with Notion's API. An item is a page, identified by its id, or a file, identified by its page and its
 * key there.
 */
export const createWikiSource = (options: WikiOptions): ListedSource<WikiParameters> => {
  const { apiUrl } = options;
  const base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  const paces = createRateLimiters(options);
  return {
    kind: 'wiki',
    sourceType: 'wiki',
    contentParameters: [],
    secretTypes: ['token'],
    needsSecret: true,
    check: ({ pageId }) => {
      if (wikiPageId(pageId) !== pageId) throw new DomainError('invalid_request', NO_PAGE);
    },
    subjectOf: ({ pageId }) => ({ kind: 'wiki', pageId }),
    itemsToSync: async (_, locators) => [...new Set(locators.map(canonicalLocator))],
    open: (parameters, signal, opened) =>
      openWiki(options, base, paces(parameters.secretId ?? ''), parameters, opened, signal),
  };
};

const openWiki = async (
  options: WikiOptions,
  base: URL,
  pace: RateLimiter,
  { pageId, includeChildren, secretId }: WikiParameters,
  opened: OpenedFor,
  signal: AbortSignal,
): Promise<Listing> => {
  const { credentials, maxBytes, now } = options;
  const authorization =
    secretId === null ? withoutSecret : authorizationBy(credentials.of({ tenant: opened.tenant, secretId }));
  const api = createWikiApi({ client: clientOf(options, 'the wiki'), base, authorization, pace });
  const root = await findRoot(api, pageId, signal);
  const storage = clientOf(options, 'the storage of the wiki');
  return wikiListing({ api, storage, root, includeChildren, opened, maxBytes, now });
};

const clientOf = ({ dispatcher, now, sleep }: WikiOptions, name: string): ProviderClient =>
  createProviderClient({
    name,
    dispatcher,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    attemptTimeoutMs: WHOLE_MS,
    retry: RETRY,
    maxWaitMs: LONGEST_WAIT_MS,
    defaultWaitMs: DEFAULT_WAIT_MS,
    judge: judgeWiki,
    now,
    sleep,
  });

const NO_PAGE =
  'page_id: give the id of the page, 32 hexadecimal digits with or without dashes, or the link to it that the wiki copies';

/** @throws DomainError invalid_request */
const canonicalLocator = (written: string): string => {
  const id = wikiPageId(written);
  if (id !== null) return id;
  const file = fileOfLocator(written);
  const pageId = file === null ? null : wikiPageId(file.pageId);
  if (file === null || pageId === null || file.key === '' || file.key.length > 200)
    throw new DomainError(
      'invalid_request',
      `locators: ${JSON.stringify(written)} is neither a page nor a file of a page`,
    );
  return fileLocator(pageId, file.key);
};
