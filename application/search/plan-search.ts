import { asPhrase, parseQuery } from '../../domain/ranking/asked-terms.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { AccessTo, OnBehalfOf } from '../access/authz/access.ts';
import type { Caller } from '../access/caller.ts';
import type { Catalog, CatalogScope } from '../ports/catalog.ts';
import type { Embedders } from '../ports/embedder.ts';
import type { Clock } from '../ports/identity.ts';
import { providerFailure } from '../ports/language-model.ts';
import type { Logger } from '../ports/logger.ts';
import type { Coverage, VectorIndex, VectorQuery } from '../ports/search-engine.ts';
import { type Arrangement, depthOf } from './arrange.ts';
import { type RetrievalFilter, type SearchRequest, readFilter } from './retrieval-filter.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

export interface Search {
  readonly query: string;
  readonly mode: SearchMode;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly rerank: boolean;
  readonly minScore?: number;
  readonly usePostfilter: boolean;
  readonly filter: RetrievalFilter;
  /** `source`: at most two contents of a source among the first ten, and no duplicates. Default: `none`. */
  readonly collapse?: 'source' | 'none';
  /** Whether quotes and minus signs in the query have a meaning. Default: they are plain text. */
  readonly syntax?: boolean;
  /** Whether each hit shows the features of its score. Default: no. */
  readonly explain?: boolean;
}

/** A search with all its inputs resolved, so that any thread can execute it. */
export interface PlannedSearch {
  readonly scope: CatalogScope;
  readonly request: SearchRequest;
  /** How the hits become the list of results. */
  readonly as: Arrangement;
  /** The mode that will be used: `keyword` without a vector of the query. */
  readonly mode: SearchMode;
  /** See `QueryVector`. Absent where no vector was asked for. */
  readonly embeddedShare?: number;
}

export interface PlanDeps {
  readonly catalog: Pick<Catalog, 'metadataTypes'>;
  readonly accessTo: AccessTo;
  /** Null when no embedding provider is configured. */
  readonly questionVector?: QuestionVector | null;
}

/**
 * Resolves the access scope, the filter and the vector of the query.
 *
 * @throws DomainError filter_invalid, authz_policy_not_found; not_configured when a required provider is missing
 */
export const planSearch = async (
  { catalog, accessTo, questionVector = null }: PlanDeps,
  hasReranker: boolean,
  caller: Caller,
  search: Search,
  onBehalfOf: OnBehalfOf,
): Promise<PlannedSearch> => {
  mustBeConfigured(search, { vectors: questionVector !== null, reranker: hasReranker });
  const scope = await accessTo(caller, onBehalfOf);
  const filter = await readFilter(catalog, scope, search.filter);
  const { mode, limit, minScore, usePostfilter } = search;
  const typed = search.syntax === true ? parseQuery(search.query) : null;
  const query = typed?.ranked ?? search.query;
  const embedded = mode === 'keyword' ? null : ((await questionVector?.(scope.tenant, query)) ?? null);
  const vector = embedded?.vector ?? null;
  const minimum = minScore !== undefined && { minScore };
  const byVector = vector !== null && { vector, vectorOnly: mode === 'vector' };
  // A vector captures the meaning of stop words, so the phrase is needed only without one.
  const held = typed !== null && vector === null ? asPhrase(typed) : typed;
  const as = {
    typed: held,
    collapse: search.collapse ?? 'none',
    limit,
    explain: search.explain === true,
  } as const;
  const request = { query, limit: depthOf(as), ...minimum, usePostfilter, filter, ...byVector };
  const share = embedded !== null && { embeddedShare: embedded.embeddedShare };
  return { scope, request, as, mode: vector === null ? 'keyword' : mode, ...share };
};

/** `hybrid` uses whatever is available; the other modes are refused when their provider is not configured. */
const mustBeConfigured = (
  { mode, rerank }: Search,
  has: { readonly vectors: boolean; readonly reranker: boolean },
): void => {
  if (mode === 'vector' && !has.vectors) {
    throw new DomainError(
      'not_configured',
      'vector search needs an embedding provider, and none is set up here: use keyword',
    );
  }
  if (rerank && !has.reranker) {
    throw new DomainError('not_configured', 'rerank needs a reranker, and none is set up here: leave it out');
  }
};

export interface QuestionVectorDeps {
  readonly vectors: Pick<VectorIndex, 'coverage'>;
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly log: Logger;
  /** Creates a signal that aborts after `ms` milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export interface QueryVector {
  /** Null when search has to do without: too few contents are embedded, or the provider fails. */
  readonly vector: VectorQuery | null;
  /** The share of the tenant's contents that the current model has embedded, 0 to 1; may be some seconds old. */
  readonly embeddedShare: number;
}

/** Embeds the query. */
export type QuestionVector = (tenant: string, query: string) => Promise<QueryVector>;

/**
 * The current model is used if it has embedded this share of the tenant's contents; otherwise the one with the most.
 */
const MIN_SHARE_OF_CURRENT = 0.9;
/** A model that has embedded a smaller share is not used: it would miss most contents. */
const MIN_SHARE = 0.5;
/** Timeout for embedding a query: a longer wait costs more than a search without a vector. */
const TIMEOUT_MS = 3_000;
/** How long searches do not call a provider after a failure. */
const COOLDOWN_MS = 10_000;

export const createQuestionVector = ({
  vectors,
  embedders,
  clock,
  log,
  timeout,
}: QuestionVectorDeps): QuestionVector => {
  const cooldownUntil = new Map<string, number>();
  return async (tenant, query) => {
    const coverage = await vectors.coverage(tenant);
    const current = embedders.current.model;
    const embeddedShare = coverage.find(({ model }) => model === current)?.share ?? 0;
    const without = { vector: null, embeddedShare };
    const known = modelFor(coverage, current);
    if (known === null || clock.now() < (cooldownUntil.get(known.model) ?? 0)) return without;
    const { model, dimensions } = known;
    try {
      const embedder = model === current ? embedders.current : embedders.named(model);
      const [vector] = await embedder.embed([query], 'query', timeout(TIMEOUT_MS));
      if (vector?.length !== dimensions)
        throw new Error(`it has ${vector?.length ?? 0} dimensions, not ${dimensions}`);
      return { vector: { model, vector }, embeddedShare };
    } catch (error) {
      cooldownUntil.set(model, clock.now() + COOLDOWN_MS);
      const failure = { ...providerFailure('embeddings', error), error: (error as Error).message };
      log.warn('searching by keywords only: the query has no vector', { model, ...failure });
      return without;
    }
  };
};

/** Selects the model whose vectors answer a tenant's queries. */
export const modelFor = (coverage: readonly Coverage[], wanted: string): Coverage | null => {
  const enough = coverage.find(({ model, share }) => model === wanted && share >= MIN_SHARE_OF_CURRENT);
  if (enough !== undefined) return enough;
  const candidates = coverage
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((a, b) => b.share - a.share || Number(b.model === wanted) - Number(a.model === wanted));
  return candidates[0] ?? null;
};
